/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* cost ROUNDS COMMAND…: what a process costs from fork to its end, as the least of the rounds:
 * CPU milliseconds (with the forks around it), and its memory at most in KiB. */

static double seconds(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    double least = 1e9;
    long memory = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: cost ROUNDS COMMAND…\n");
        return 2;
    }
    for (int i = atoi(argv[1]); i > 0; i--) {
        struct rusage used;
        int status;
        pid_t child = fork();

        if (child == 0) {
            int nowhere = open("/dev/null", O_RDWR);
            dup2(nowhere, 0);
            dup2(nowhere, 1);
            dup2(nowhere, 2);
            execvp(argv[2], argv + 2);
            _exit(127);
        }
        if (child < 0 || wait4(child, &status, 0, &used) != child || !WIFEXITED(status) ||
            WEXITSTATUS(status) == 127) {
            fprintf(stderr, "cost: '%s' does not run\n", argv[2]);
            return 1;
        }
        double cpu = seconds(&used.ru_utime) + seconds(&used.ru_stime);
        least = cpu < least ? cpu : least;
        memory = used.ru_maxrss;
    }
    printf("%.2f %ld\n", least * 1e3, memory);
    return 0;
}
