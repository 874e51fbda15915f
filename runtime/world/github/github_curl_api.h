/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_CURL_API_H
#define BL_WORLD_GITHUB_GITHUB_CURL_API_H

#include <stdbool.h>

#include <curl/curl.h>

/* libcurl, opened when it is needed: to link it costs every process some 6 ms of CPU time
 * before `main`, more than a decision. Private to github_curl.c. */
struct bl_curl_api {
    void *library;
#define BL_CURL(name, result, parameters) result(*name) parameters;
#include "world/github/github_curl_api.def"
#undef BL_CURL
};

/* False when there is none, or one of the functions is missing. What is opened stays open:
 * libraries below it cannot be unloaded safely. */
bool bl_curl_api_open(struct bl_curl_api *api);

#endif
