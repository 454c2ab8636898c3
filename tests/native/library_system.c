// Compares what is certain of files, mappings, messages and local time with the C library of this machine: part of library.c.
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void check_system(void);
const char *take_output(void); // library.c

char *P_basename(const char *path);
char *P_l64a(long n);
char *P_setlocale(int category, const char *name);
int P_dup3(int file, int other, int flags);
int P_ftruncate(int file, long length);
int P_truncate(const char *path, long length);
int P_getrlimit(int which, unsigned long limit[2]);
int P_getentropy(void *to, size_t n);
void *P_mmap(void *hint, size_t size, int protection, int flags, int file, long offset);
int P_munmap(void *memory, size_t size);
void P_warn(const char *format, ...);
void P_warnx(const char *format, ...);
struct tm *P_localtime_r(const time_t *time, struct tm *result);
struct tm *P_localtime(const time_t *time);
int *P___errno_location(void);

// Both calls fail in the same way.
#define BOTH_FAIL(mine, theirs)                                                                                        \
    do {                                                                                                               \
        *P___errno_location() = errno = 0;                                                                             \
        int a = (mine), b = (theirs);                                                                                  \
        if (a != b || *P___errno_location() != errno || b != -1)                                                       \
            printf(#theirs ": %d, errno %d but %d, errno %d\n", a, *P___errno_location(), b, errno), abort();          \
    } while (0)

static void check_names(void) {
    const char *paths[] = {"", "/", "a", "a/b", "/usr/lib", "/usr/", "..", "a//b"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert(!strcmp(P_basename(paths[i]), basename(paths[i])));
    for (int i = 0; i < 100000; i++) {
        long n = i < 200 ? i - 100 : (long)((unsigned)rand() * 2u + (unsigned)(rand() & 1));
        assert(!strcmp(P_l64a(n), l64a(n)));
    }
    assert(!strcmp(P_setlocale(0, 0), "C"));
}

static void check_files(void) {
    unsigned long limit[2];
    char bytes[300];
    BOTH_FAIL(P_dup3(1, 1, 0), dup3(1, 1, 0));
    BOTH_FAIL(P_ftruncate(0, -1), ftruncate(0, -1));
    BOTH_FAIL(P_truncate("/nowhere", -1), truncate("/nowhere", -1));
    BOTH_FAIL(P_getrlimit(-1, limit), getrlimit(-1, (struct rlimit *)limit));
    BOTH_FAIL(P_getrlimit(16, limit), getrlimit(16, (struct rlimit *)limit));
    BOTH_FAIL(P_getentropy(bytes, 257), getentropy(bytes, 257));
    for (int which = 0; which < 16; which++)
        assert(P_getrlimit(which, limit) == 0 && getrlimit(which, (struct rlimit *)limit) == 0);
}

static int fails(void *memory) { return memory == MAP_FAILED ? -1 : 0; }

static void check_mappings(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    BOTH_FAIL(fails(P_mmap(0, 0, PROT_READ, flags, -1, 0)), fails(mmap(0, 0, PROT_READ, flags, -1, 0)));
    BOTH_FAIL(fails(P_mmap(0, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0)), fails(mmap(0, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0)));
    BOTH_FAIL(fails(P_mmap(0, (size_t)-1, PROT_READ, flags, -1, 0)), fails(mmap(0, (size_t)-1, PROT_READ, flags, -1, 0)));
    char *memory = P_mmap(0, 5000, PROT_READ | PROT_WRITE, flags, -1, 0);
    assert(memory != MAP_FAILED && (unsigned long)memory % 4096 == 0);
    for (int i = 0; i < 8192; i++)
        assert(memory[i] == 0);
    BOTH_FAIL(P_munmap(memory, 0), munmap(memory, 0));
    assert(P_munmap(memory, 5000) == 0);
}

// What the machine writes to standard error.
static const char *machines(int shows, const char *format, int value) {
    static char text[256];
    FILE *file = tmpfile();
    int old = dup(2), error = errno;
    assert(file && old >= 0);
    dup2(fileno(file), 2);
    errno = error;
    if (shows)
        warn(format, value);
    else
        warnx(format, value);
    dup2(old, 2);
    close(old);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void check_messages(void) {
    take_output();
    const char *formats[] = {0, "", "no file %d", "100%%"};
    const int errors[] = {0, ENOENT, EINVAL, EAGAIN, 9999};
    program_invocation_short_name = "program";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
            for (int shows = 0; shows < 2; shows++) {
                *P___errno_location() = errno = errors[e];
                const char *theirs = machines(shows, formats[i], 7);
                if (shows)
                    P_warn(formats[i], 7);
                else
                    P_warnx(formats[i], 7);
                const char *mine = take_output();
                if (strcmp(mine, theirs))
                    printf("message '%s', error %d: '%s' but '%s'\n", formats[i] ? formats[i] : "(none)", errors[e], mine, theirs), abort();
            }
}

// Local time is that of any zone: the parts are those of the moment there.
static void check_local_time(void) {
    for (int i = 0; i < 100000; i++) {
        time_t t = i < 100 ? i * 86400L - 50 * 86400L : (long)rand() * (i % 5) - rand(), there;
        struct tm mine, theirs;
        assert(P_localtime_r(&t, &mine));
        there = t + mine.tm_gmtoff;
        gmtime_r(&there, &theirs);
        assert(mine.tm_sec == theirs.tm_sec && mine.tm_min == theirs.tm_min && mine.tm_hour == theirs.tm_hour);
        assert(mine.tm_mday == theirs.tm_mday && mine.tm_mon == theirs.tm_mon && mine.tm_year == theirs.tm_year);
        assert(mine.tm_wday == theirs.tm_wday && mine.tm_yday == theirs.tm_yday);
        assert(mine.tm_gmtoff >= -13 * 3600 && mine.tm_gmtoff <= 14 * 3600 + 3600);
        assert(P_localtime(&t)->tm_year - theirs.tm_year <= 1);
    }
}

void check_system(void) {
    check_names();
    check_files();
    check_mappings();
    check_messages();
    check_local_time();
}
