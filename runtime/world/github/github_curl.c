/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_curl_api.h"
#include "world/github/github_wire.h"

#define HEADERS_BYTES ((size_t)256 << 10)
#define HEADER_LINES  ((size_t)1000)

struct curl {
    struct bl_arena *arena; /* of the client */
    const struct bl_github_options *options;
    struct bl_curl_api api;
    CURL *handle;
    bool tried;        /* to open libcurl */
    const char *token; /* the whole header */
    const char *agent; /* terminated, as libcurl wants them */
    const char *proxy;
    const char *no_proxy;
    const char *ca_file; /* NULL: those of the system */
};

/* One answer while it comes in. */
struct incoming {
    struct bl_arena *arena;
    struct bl_github_answer *answer;
    struct bl_buf body;
    size_t header_bytes;
    size_t header_lines;
    bool too_large;
};

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's. */
static size_t take_header(char *text, size_t size, size_t count, void *context)
{
    struct incoming *in = context;
    size_t len = size * count;
    in->header_bytes += len;
    in->header_lines++;
    if (in->header_bytes > HEADERS_BYTES || in->header_lines > HEADER_LINES) {
        in->too_large = true;
        return 0;
    }
    bl_github_headers_line(&in->answer->headers, in->arena, (bl_str){text, len});
    return in->arena->failed ? 0 : len;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's. */
static size_t take_body(char *text, size_t size, size_t count, void *context)
{
    struct incoming *in = context;
    size_t len = size * count;
    if (len > in->body.max - in->body.len) {
        in->too_large = true;
        return 0;
    }
    bl_buf_put(&in->body, (bl_str){text, len});
    return in->body.failed ? 0 : len;
}

static const char *terminated(struct bl_arena *arena, bl_str text)
{
    bl_str copy = bl_arena_copy(arena, text);
    return copy.ptr != NULL ? copy.ptr : "";
}

/* libcurl asks once a second and more often. NOLINTNEXTLINE: the types are libcurl's. */
static int look_for_stop(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    const struct bl_github_stop *stop = context;
    (void)a, (void)b, (void)c, (void)d;
    return stop->told(stop->context) ? 1 : 0;
}

/* libcurl has a handle from the first request to the last, so that reads share a connection. */
static bool open_curl(struct curl *curl)
{
    if (!curl->tried) {
        curl->tried = true;
        /* No OpenSSL or Windows start-up of ours: libcurl counts how often it is begun. */
        if (bl_curl_api_open(&curl->api) &&
            curl->api.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
            curl->handle = curl->api.easy_init();
        }
    }
    return curl->handle != NULL;
}

#define SET(option, value) (curl->api.easy_setopt(curl->handle, (option), (value)) == CURLE_OK)

static bool set_trust(struct curl *curl)
{
    const struct bl_github_options *options = curl->options;
    const char *protocols = options->loopback_http ? "https,http" : "https";
    return SET(CURLOPT_PROTOCOLS_STR, protocols) &&
           SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) &&
           SET(CURLOPT_SSL_VERIFYPEER, 1L) && SET(CURLOPT_SSL_VERIFYHOST, 2L) &&
           (curl->ca_file == NULL || SET(CURLOPT_CAINFO, curl->ca_file)) &&
           /* The empty text keeps libcurl from looking into the environment. */
           SET(CURLOPT_PROXY, curl->proxy) && SET(CURLOPT_NOPROXY, curl->no_proxy) &&
           SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) && SET(CURLOPT_FOLLOWLOCATION, 0L) &&
           SET(CURLOPT_PATH_AS_IS, 1L);
}

static bool set_bounds(struct curl *curl, bool fresh)
{
    const struct bl_github_options *options = curl->options;
    return SET(CURLOPT_CONNECTTIMEOUT_MS, (long)options->connect_ms) &&
           SET(CURLOPT_TIMEOUT_MS, (long)options->request_ms) && SET(CURLOPT_NOSIGNAL, 1L) &&
           /* One request at a time needs no second version of HTTP, which has ways of its own
            * to send something again. */
           SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
           SET(CURLOPT_FRESH_CONNECT, fresh ? 1L : 0L) && SET(CURLOPT_ACCEPT_ENCODING, "gzip");
}

static bool set_stop(struct curl *curl, const struct bl_github_request *request)
{
    return request->stop.told == NULL ||
           (SET(CURLOPT_NOPROGRESS, 0L) && SET(CURLOPT_XFERINFOFUNCTION, look_for_stop) &&
            SET(CURLOPT_XFERINFODATA, &request->stop));
}

static bool set_method(struct curl *curl, const struct bl_github_request *request)
{
    bl_str name = bl_github_method_name(request->method);
    if (request->method == BL_GITHUB_GET) {
        return SET(CURLOPT_HTTPGET, 1L);
    }
    if (request->body.len == 0) {
        /* A PUT without a body says so. */
        return SET(CURLOPT_CUSTOMREQUEST, name.ptr) &&
               (request->method == BL_GITHUB_DELETE ||
                (SET(CURLOPT_POSTFIELDS, "") &&
                 SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)0)));
    }
    return SET(CURLOPT_POSTFIELDS, request->body.ptr) &&
           SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len) &&
           SET(CURLOPT_CUSTOMREQUEST, name.ptr);
}

static bool add(struct curl *curl, struct curl_slist **list, const char *line)
{
    struct curl_slist *longer = curl->api.slist_append(*list, line);
    if (longer != NULL) {
        *list = longer;
    }
    return longer != NULL;
}

static bool set_headers(struct curl *curl, struct bl_arena *arena,
                        const struct bl_github_request *request, struct curl_slist **list)
{
    bool good = add(curl, list, "Accept: application/vnd.github+json") &&
                add(curl, list, "X-GitHub-Api-Version: 2022-11-28") &&
                add(curl, list, curl->token) &&
                /* GitHub has no use for a request in two steps. */
                add(curl, list, "Expect:");
    if (good && request->body.len > 0) {
        good = add(curl, list, "Content-Type: application/json; charset=utf-8");
    }
    if (good && request->etag.len > 0) {
        struct bl_buf line;
        bl_buf_init(&line, arena, BL_GITHUB_HEADER_BYTES);
        BL_PUT(&line, "If-None-Match: ");
        bl_buf_put(&line, request->etag);
        good = !line.failed && add(curl, list, line.ptr);
    }
    return good && SET(CURLOPT_HTTPHEADER, *list) && SET(CURLOPT_USERAGENT, curl->agent);
}

static enum bl_github_wire ending(CURLcode code, const struct incoming *in)
{
    if (in->arena->failed || (in->body.failed && !in->too_large) ||
        code == CURLE_OUT_OF_MEMORY) {
        return BL_WIRE_NO_MEMORY;
    }
    if (in->too_large) {
        return BL_WIRE_TOO_LARGE;
    }
    if (code == CURLE_OK) {
        return BL_WIRE_ANSWERED;
    }
    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
        code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_ISSUER_ERROR) {
        return BL_WIRE_DISTRUST;
    }
    bool none = code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
                code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_SSL_CONNECT_ERROR ||
                code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT;
    return none ? BL_WIRE_NOT_SENT : BL_WIRE_BROKEN;
}

static enum bl_github_wire perform(struct curl *curl, const struct bl_github_request *request,
                                   struct incoming *in)
{
    CURLcode code = curl->api.easy_perform(curl->handle);
    enum bl_github_wire wire = ending(code, in);
    if (wire == BL_WIRE_ANSWERED && curl->api.easy_getinfo(curl->handle, CURLINFO_RESPONSE_CODE,
                                                           &in->answer->status) != CURLE_OK) {
        return BL_WIRE_BROKEN;
    }
    /* A connection that timed out while it was made carried nothing either. */
    curl_off_t sent = 0;
    if (wire == BL_WIRE_BROKEN && code == CURLE_OPERATION_TIMEDOUT && request->fresh &&
        curl->api.easy_getinfo(curl->handle, CURLINFO_PRETRANSFER_TIME_T, &sent) == CURLE_OK &&
        sent == 0) {
        return BL_WIRE_NOT_SENT;
    }
    in->answer->body = bl_buf_str(&in->body);
    return wire;
}

static enum bl_github_wire send_request(void *self, struct bl_arena *arena,
                                        const struct bl_github_request *request,
                                        struct bl_github_answer *answer)
{
    struct curl *curl = self;
    struct curl_slist *list = NULL;
    struct incoming in = {.arena = arena, .answer = answer};
    *answer = (struct bl_github_answer){.status = 0};
    bl_github_headers_init(&answer->headers);
    bl_buf_init(&in.body, arena, curl->options->answer_bytes);
    if (!open_curl(curl)) {
        return BL_WIRE_NO_CURL;
    }
    curl->api.easy_reset(curl->handle);
    enum bl_github_wire wire = BL_WIRE_NO_CURL;
    if (SET(CURLOPT_URL, terminated(arena, request->url)) && set_trust(curl) &&
        set_bounds(curl, request->fresh) && set_stop(curl, request) &&
        set_method(curl, request) && set_headers(curl, arena, request, &list) &&
        SET(CURLOPT_HEADERFUNCTION, take_header) && SET(CURLOPT_HEADERDATA, &in) &&
        SET(CURLOPT_WRITEFUNCTION, take_body) && SET(CURLOPT_WRITEDATA, &in)) {
        wire = perform(curl, request, &in);
    }
    curl->api.slist_free_all(list);
    return arena->failed ? BL_WIRE_NO_MEMORY : wire;
}

static void close_curl(void *self)
{
    struct curl *curl = self;
    if (curl->handle != NULL) {
        curl->api.easy_cleanup(curl->handle);
        curl->handle = NULL;
    }
}

bool bl_github_curl(struct bl_arena *arena, const struct bl_github_options *options,
                    struct bl_github_transport *out)
{
    struct curl *curl = BL_NEW(arena, struct curl);
    if (curl == NULL) {
        return false;
    }
    struct bl_buf token;
    bl_buf_init(&token, arena, BL_GITHUB_HEADER_BYTES);
    BL_PUT(&token, "Authorization: Bearer ");
    bl_buf_put(&token, options->token);
    curl->arena = arena;
    curl->options = options;
    curl->token = token.ptr;
    curl->agent = terminated(arena, options->user_agent);
    curl->proxy = terminated(arena, options->proxy);
    curl->no_proxy = terminated(arena, options->no_proxy);
    curl->ca_file = options->ca_file.len > 0 ? terminated(arena, options->ca_file) : NULL;
    *out =
        (struct bl_github_transport){.self = curl, .send = send_request, .close = close_curl};
    return !token.failed && !arena->failed;
}
