/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_curl_api.h"

#include <dlfcn.h>
#include <string.h>

/* The first is what a program built against it would load; the second comes with headers. */
static const char *const names[] = {"libcurl.so.4", "libcurl.so"};

bool bl_curl_api_open(struct bl_curl_api *api)
{
    for (size_t i = 0; api->library == NULL && i < sizeof(names) / sizeof(names[0]); i++) {
        api->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (api->library == NULL) {
        return false;
    }
    /* ISO C has no cast from an object pointer to a function's; POSIX promises that the bytes
     * are the same. */
    void *symbol;
#define BL_CURL(name, result, parameters)                                                      \
    symbol = dlsym(api->library, "curl_" #name);                                               \
    if (symbol == NULL) {                                                                      \
        return false;                                                                          \
    }                                                                                          \
    memcpy(&api->name, &symbol, sizeof(symbol));
#include "world/github/github_curl_api.def"
#undef BL_CURL
    return true;
}
