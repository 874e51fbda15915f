/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_address.h"

#define PORT_MAX 65535

static bool is_plain(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= 0x20 || text.ptr[i] >= 0x7F || text.ptr[i] == '\\') {
            return false;
        }
    }
    return text.len > 0;
}

static bool take_scheme(bl_str *text, struct bl_address *out)
{
    static const struct {
        bl_str prefix;
        size_t name;
        uint32_t port;
    } schemes[] = {{{"https://", 8}, 5, 443}, {{"http://", 7}, 4, 80}};
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        if (bl_str_starts_with(*text, schemes[i].prefix)) {
            out->scheme = bl_str_slice(*text, 0, schemes[i].name);
            out->port = schemes[i].port;
            *text = bl_str_slice(*text, schemes[i].prefix.len, text->len);
            return true;
        }
    }
    return false;
}

static bool take_port(bl_str text, uint32_t *port)
{
    uint32_t number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!bl_is_ascii_digit(text.ptr[i]) || number > PORT_MAX) {
            return false;
        }
        number = number * 10 + (uint32_t)(text.ptr[i] - '0');
    }
    *port = number;
    return text.len > 0 && number > 0 && number <= PORT_MAX;
}

static bool is_host(bl_str host)
{
    bool brackets = host.len > 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']';
    bl_str name = brackets ? bl_str_slice(host, 1, host.len - 1) : host;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) && c != '-' && c != '.' &&
            !(brackets && c == ':')) {
            return false;
        }
    }
    return name.len > 0;
}

bool bl_address_parse(bl_str text, struct bl_address *out)
{
    *out = (struct bl_address){.port = 0};
    if (!is_plain(text) || bl_str_find_char(text, '#') != SIZE_MAX ||
        !take_scheme(&text, out)) {
        return false;
    }
    size_t end = 0;
    while (end < text.len && text.ptr[end] != '/' && text.ptr[end] != '?') {
        end++;
    }
    bl_str authority = bl_str_slice(text, 0, end);
    out->path = bl_str_slice(text, end, text.len);
    if (out->path.len > 0 && out->path.ptr[0] != '/') {
        return false;
    }
    /* The colons of an IPv6 address stand in brackets, in front of that of a port. */
    size_t bracket = bl_str_find_char(authority, ']');
    size_t from = bracket == SIZE_MAX ? 0 : bracket;
    size_t colon = bl_str_find_char(bl_str_slice(authority, from, authority.len), ':');
    if (colon != SIZE_MAX) {
        if (!take_port(bl_str_slice(authority, from + colon + 1, authority.len), &out->port)) {
            return false;
        }
        authority = bl_str_slice(authority, 0, from + colon);
    }
    out->host = authority;
    return is_host(authority); /* also refuses an '@' */
}

bool bl_address_same_origin(const struct bl_address *a, const struct bl_address *b)
{
    return bl_str_equal(a->scheme, b->scheme) && bl_str_equal_nocase(a->host, b->host) &&
           a->port == b->port;
}

bool bl_address_is_loopback(const struct bl_address *address)
{
    bl_str host = address->host;
    if (bl_str_equal(host, BL_STR("[::1]"))) {
        return true;
    }
    if (!bl_str_starts_with(host, BL_STR("127."))) {
        return false;
    }
    size_t dots = 0;
    for (size_t i = 0; i < host.len; i++) {
        dots += host.ptr[i] == '.';
        if (!bl_is_ascii_digit(host.ptr[i]) && host.ptr[i] != '.') {
            return false;
        }
    }
    return dots == 3;
}

void bl_address_put_step(struct bl_buf *out, bl_str step)
{
    static const char hex[] = "0123456789ABCDEF";
    if (step.len == 0 || bl_str_equal(step, BL_STR(".")) || bl_str_equal(step, BL_STR(".."))) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < step.len; i++) {
        unsigned char c = (unsigned char)step.ptr[i];
        if (bl_is_ascii_alpha((char)c) || bl_is_ascii_digit((char)c) || c == '-' || c == '.' ||
            c == '_' || c == '~') {
            bl_buf_put_char(out, (char)c);
        } else {
            bl_buf_put_char(out, '%');
            bl_buf_put_char(out, hex[c >> 4]);
            bl_buf_put_char(out, hex[c & 15]);
        }
    }
}
