/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "sema/embedded.h"

#include <stdio.h>

int main(void)
{
    char text[BL_TIME_TEXT_MAX];
    size_t len = bl_time_format(951868799, text);
    printf("%.*s, %zu definitions\n", (int)len, text, bl_embedded_file_count);
    return bl_embedded_file_count > 0 ? 0 : 1;
}
