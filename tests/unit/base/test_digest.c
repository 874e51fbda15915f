/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "support/check.h"

#include <string.h>

static const char *hex_of(const unsigned char digest[BL_DIGEST_BYTES])
{
    static char text[BL_DIGEST_HEX + 1];
    bl_digest_hex(digest, text);
    return text;
}

/* The examples of FIPS 180-4 (NIST, "Secure Hash Standard: example values"). */
TEST(published_examples)
{
    static const struct {
        const char *text;
        const char *digest;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        unsigned char digest[BL_DIGEST_BYTES];
        check_case("\"%s\"", cases[i].text);
        bl_digest(bl_str_from(cases[i].text), digest);
        check_str(bl_str_from(hex_of(digest)), cases[i].digest);
    }
}

TEST(a_million_letters_in_pieces)
{
    char letters[1000];
    memset(letters, 'a', sizeof(letters));
    struct bl_digest_state running;
    unsigned char digest[BL_DIGEST_BYTES];
    bl_digest_begin(&running);
    for (size_t i = 0; i < 1000; i++) {
        bl_digest_add(&running, (bl_str){letters, sizeof(letters)});
    }
    bl_digest_end(&running, digest);
    check_str(bl_str_from(hex_of(digest)),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Lengths around the ends of blocks, digests by sha256sum of coreutils; the bytes are
 * (7 i + 3) mod 251. Cut in two at every place, the digest stays the same. */
TEST(lengths_and_cuts)
{
    static const struct {
        size_t len;
        const char *digest;
    } cases[] = {
        {1, "084fed08b978af4d7d196a7446a86b58009e636b611db16211b65a9aadff29c5"},
        {55, "1deace58c745f3ecadde68a5923f494c3703fa73f0306483ccb898a5826e8d70"},
        {56, "06dbe23685750e4d3881ded95047abaf93fa8f9c5d3501dc57c717a72ff1398e"},
        {57, "011f4bced20a249afb834d24b3e4eca31ad5ea2bdd1d8a1a564c2d2410398e69"},
        {63, "47fb38b12335c9298d09280515c0666489a189d1554bb0ac1a0740806ce9d8b6"},
        {64, "dfa798724b1a8014994f363e5da7474ed26ce3757fb29e07aa47ad5a9352d37b"},
        {65, "dd2eab5a5507d7717c63ce953d9ac61752c21e664425ad1227054722a0d97f69"},
        {119, "c6e0f435df5d7d265baacca31e0602c00aa22fa6d3819aed664649294c743756"},
        {120, "17eb8960823a644bde3065620bb9d45931fe8993fd8eb692a17aff0fd725db6a"},
        {127, "2409a159329f4e770a7d8128130497abb1de01ffb6ad389d97d89ebbeeb7f02c"},
        {128, "3a9c1e22e20578eebe442238f431befd688bd56698eb7c77d95d3f97d8f58207"},
        {1000, "a9425c416f534025a4e2422bd14adba4ec3d4a68d10c3329be8df612964d2b6e"},
    };
    char bytes[1000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)((7 * i + 3) % 251);
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t cut = 0; cut <= cases[i].len; cut++) {
            struct bl_digest_state running;
            unsigned char digest[BL_DIGEST_BYTES];
            check_case("%zu bytes cut at %zu", cases[i].len, cut);
            bl_digest_begin(&running);
            bl_digest_add(&running, (bl_str){bytes, cut});
            bl_digest_add(&running, (bl_str){bytes + cut, cases[i].len - cut});
            bl_digest_end(&running, digest);
            check_str(bl_str_from(hex_of(digest)), cases[i].digest);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples),
        cmocka_unit_test(a_million_letters_in_pieces),
        cmocka_unit_test(lengths_and_cuts),
    };
    return check_main(tests);
}
