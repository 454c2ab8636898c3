// Edge cases of the modelled library beside the C library of this machine: one table for each family of functions.
// Run by check-library, together with library.c.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <getopt.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void check_tables(void);

#define UNDER_TEST(name) __typeof__(name) P_##name;
UNDER_TEST(__errno_location)
static int wrong;

#define REPORT(...) (wrong++ < 20 ? printf(__VA_ARGS__) : 0)

// Text to fractions, bit for bit

UNDER_TEST(strtod) UNDER_TEST(strtof)

static void compare_real(const char *text) {
    char *my_end, *their_end;
    double mine, theirs;
    float my_float, their_float;
    *P___errno_location() = errno = 0;
    mine = P_strtod(text, &my_end);
    theirs = strtod(text, &their_end);
    if (memcmp(&mine, &theirs, sizeof mine) || my_end != their_end || *P___errno_location() != errno)
        REPORT("strtod(\"%s\"): %a at %d, error %d, but %a at %d, error %d\n", text, mine, (int)(my_end - text), *P___errno_location(), theirs,
               (int)(their_end - text), errno);
    *P___errno_location() = errno = 0;
    my_float = P_strtof(text, &my_end);
    their_float = strtof(text, &their_end);
    if (memcmp(&my_float, &their_float, sizeof my_float) || my_end != their_end || *P___errno_location() != errno)
        REPORT("strtof(\"%s\"): %a at %d, error %d, but %a at %d, error %d\n", text, my_float, (int)(my_end - text), *P___errno_location(),
               their_float, (int)(their_end - text), errno);
}

static void check_reals(void) {
    static const char *const texts[] = {
        "", "-", "+", ".", "-.", "e5", ".e5", "0", "-0", "0.0", "+.5", "5.", "1e", "1e+", "1e-", "1 e5", "1.5.5", "  -3.25e2x", "\t\n 7",
        "inf", "-INF", "infinity", "-infinit", "infinityx", "nan", "-nan", "NaN(", "nan()", "nan(123)", "nan(0x7ff)", "nan(abc_1)", "nan(12", "nan(1 2)",
        "nan(18446744073709551615)", "nan(99999999999999999999999)", "0x", "0x.", "0x.p1", "0x1", "0x1p", "0x1p+", "0x1.8p1", "0x.8p-1074", "0x1p-1074",
        "0x1p-1075", "0x1.8p-1075", "0x1p-1076", "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7p1023", "0x1p1024", "0x1.00000000000008p0",
        "0x1.000000000000081p0", "0x1.0000000000001800p0", "0x0p99999999999", "0x1p99999999999", "0x1p-99999999999", "1e308", "1.7976931348623157e308",
        "1.7976931348623158e308", "1.7976931348623159e308", "1.8e308", "1e309", "-1e400", "1e99999999999999999999", "0e99999999999999999999",
        "1e-99999999999999999999", "4.9e-324", "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2e-324", "1e-325",
        "2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072012e-308", "2.225073858507201e-308", "2.22507385850720138309023271733e-308",
        "0x1.fffffffffffffp-1023", "0x1.fffffffffffff8p-1023", "0x1.fffffffffffffcp-1023", "0x1.ffffffffffffecp-1023",
        "3.4028234663852886e38", "3.4028235677973366e38", "3.4028235e38", "3.5e38", "1.17549435e-38", "1.1754942e-38", "1.4e-45", "7e-46", "7.1e-46",
        "0x1.fffffep-127", "0x1.ffffffp-127", "0x1.ffffff8p-127", "9007199254740993", "9007199254740992.9999999", "9007199254740993.00000000000000000001",
        "16777217", "16777217.0000000000000000001", "16777219", "123456789012345678901234567890", "0.1", "0.2", "0.3", "3.14159265358979323846",
        "2.718281828459045235360", "1e22", "1e23", "8.5e22", "7e22", "123456.789e-10", "000000000000000000000000000000001.5", "0.000000000000000000000000012345",
    };
    char text[2048];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare_real(texts[i]);
    for (int round = 0; round < 60000; round++) {
        union {
            uint64_t bits;
            double value;
        } u;
        u.bits = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
        if (round % 4 == 0)
            u.bits &= ~(2046ull << 52); // small, or not so small
        if (!isfinite(u.value))
            continue;
        snprintf(text, sizeof text, round % 3 == 0 ? "%.16e" : round % 3 == 1 ? "%.19g" : "%a", u.value);
        compare_real(text);
        if (round % 20 == 0) {
            // Exactly between two numbers, and a little more.
            uint64_t next = u.bits + 1;
            double after;
            memcpy(&after, &next, sizeof after);
            long double middle = ((long double)u.value + (long double)after) / 2;
            snprintf(text, sizeof text, "%.1100Lg", middle);
            compare_real(text);
            strcat(text, strchr(text, 'e') || strchr(text, 'n') ? "" : strchr(text, '.') ? "0000001" : ".0000001");
            compare_real(text);
            snprintf(text, sizeof text, "%.1100Lf", fabsl(middle) < 1e100L ? middle : 0.5L);
            compare_real(text);
        }
        static const char letters[] = "0123456789.eE+-xXpPaf ";
        int n = rand() % 12;
        for (int i = 0; i < n; i++)
            text[i] = letters[rand() % (int)(sizeof letters - 1)];
        text[n] = 0;
        compare_real(text);
    }
}

// The calendar

UNDER_TEST(gmtime_r) UNDER_TEST(gmtime) UNDER_TEST(timegm) UNDER_TEST(strftime) UNDER_TEST(asctime_r) UNDER_TEST(asctime)

static int same_tm(const struct tm *a, const struct tm *b) {
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon &&
           a->tm_year == b->tm_year && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday && a->tm_isdst == b->tm_isdst &&
           a->tm_gmtoff == b->tm_gmtoff && !strcmp(a->tm_zone, b->tm_zone);
}

static void compare_time(time_t t) {
    struct tm mine, theirs;
    memset(&mine, 0, sizeof mine);
    memset(&theirs, 0, sizeof theirs);
    *P___errno_location() = errno = 0;
    int have = P_gmtime_r(&t, &mine) != 0, have_theirs = gmtime_r(&t, &theirs) != 0;
    if (have != have_theirs || *P___errno_location() != errno || (have && !same_tm(&mine, &theirs))) {
        REPORT("gmtime(%ld): %d-%d-%d but %d-%d-%d\n", t, mine.tm_year, mine.tm_mon, mine.tm_mday, theirs.tm_year, theirs.tm_mon, theirs.tm_mday);
        return;
    }
    if (!have)
        return;
    if (P_timegm(&mine) != t)
        REPORT("timegm of gmtime(%ld)\n", t);
    static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%a %A %b %B %c", "%C %d %D %e %F %g %G %h", "%H %I %j %k %l %m %M %p %P",
                                          "%r %R %S %T %u %U %V", "%w %W %x %X %y %Z %z %%", "%-d %_d %03d %5Y %^a %^B %n%t", "%Ey %Od", "%q", "%"};
    char my_text[200], their_text[200];
    for (size_t i = 0; i < sizeof formats / sizeof *formats && theirs.tm_year < INT_MAX - 1900; i++) {
        size_t n = P_strftime(my_text, sizeof my_text, formats[i], &theirs), m = strftime(their_text, sizeof their_text, formats[i], &theirs);
        if (n != m || memcmp(my_text, their_text, n))
            REPORT("strftime(%ld, \"%s\"): '%s' but '%s'\n", t, formats[i], my_text, their_text);
    }
    char *a = P_asctime(&theirs), *b = asctime(&theirs);
    if (!a != !b || (a && strcmp(a, b)))
        REPORT("asctime(%ld)\n", t);
    a = P_asctime_r(&theirs, my_text);
    b = asctime_r(&theirs, their_text);
    if (!a != !b || (a && strcmp(a, b)))
        REPORT("asctime_r(%ld)\n", t);
    assert(P_strftime(my_text, 5, "%Y", &theirs) == strftime(their_text, 5, "%Y", &theirs));
    assert(P_strftime(my_text, 4, "%Y", &theirs) == strftime(their_text, 4, "%Y", &theirs));
}

static void check_calendar(void) {
    static const time_t times[] = {0, -1, 1, 86399, 86400, -86400, -86401, 951782399, 951782400, 951868800, 4107542400, 2147483647, -2147483648,
                                   253402300799, 253402300800, -62167219200, -62135596800, 67768036191676799, 67768036191676800, -67768040609740800,
                                   -67768040609740801, LONG_MAX, LONG_MIN, 978307199, 978307200, 946684799, 946684800, 4102444799, 4102444800};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        compare_time(times[i]);
    for (int round = 0; round < 30000; round++)
        compare_time(((time_t)rand() << 31 ^ rand()) >> (round % 50) << (round % 3) >> 3);
    for (int round = 0; round < 30000; round++) {
        struct tm mine, theirs;
        memset(&mine, 0, sizeof mine);
        mine.tm_year = rand() % 3000 - 1000;
        mine.tm_mon = rand() % 100 - 50;
        mine.tm_mday = rand() % 1000 - 500;
        mine.tm_hour = rand() % 100 - 50;
        mine.tm_min = rand() % 1000 - 500;
        mine.tm_sec = rand() % 1000 - 500;
        theirs = mine;
        time_t a = P_timegm(&mine), b = timegm(&theirs);
        if (a != b || !same_tm(&mine, &theirs))
            REPORT("timegm: %ld but %ld\n", a, b);
    }
}

// Mathematics: equal, or within what is assumed

extern int assumed;

static int same_double(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

static const double reals[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, 2.5, -2.5, 3.0, 3.5, 4.0, 10.0, 0.1, -0.1, 0.3, 1e10, -1e10, 1e15,
                               4503599627370495.5, 4503599627370497.5, 9007199254740993.0, 1e100, -1e100, 1e-100, 1e300, 1e308, DBL_MAX, -DBL_MAX, DBL_MIN,
                               -DBL_MIN, 5e-324, -5e-324, 1e-310, 2147483647.5, -2147483648.5, 9.2e18, 9.3e18, -9.3e18, 0.49999999999999994,
                               -0.49999999999999994, INFINITY, -INFINITY, NAN, 64.0, -3.0, 1024.0, -1074.0, -1075.0, 1023.0, 700.0, 710.0, -746.0};

#define ONE(name)                                                                                                   \
    do {                                                                                                            \
        __typeof__(name) P_##name;                                                                                  \
        *P___errno_location() = errno = 0;                                                                          \
        assumed = 1;                                                                                                \
        double mine = (double)P_##name(x), theirs = (double)name(x);                                                \
        if (!same_double(mine, theirs) || *P___errno_location() != errno)                                           \
            REPORT(#name "(%a): %a, error %d, but %a, error %d\n", (double)x, mine, *P___errno_location(), theirs, errno); \
    } while (0)

#define TWO(name)                                                                                                   \
    do {                                                                                                            \
        __typeof__(name) P_##name;                                                                                  \
        *P___errno_location() = errno = 0;                                                                          \
        double mine = P_##name(x, y), theirs = name(x, y);                                                          \
        if (!same_double(mine, theirs) || *P___errno_location() != errno)                                           \
            REPORT(#name "(%a, %a): %a, error %d, but %a, error %d\n", (double)x, (double)y, mine, *P___errno_location(), theirs, errno); \
    } while (0)

// The value that the model is to choose is the real one: then what is assumed of it has to hold, unless there is no choice.
static double chosen;
static int asked;
double P___raddle_nondet_double(void) {
    asked = 1;
    return chosen;
}

#define WITHIN(name, ...)                                                                                           \
    do {                                                                                                            \
        __typeof__(name) P_##name;                                                                                  \
        errno = 0;                                                                                                  \
        double theirs = name(__VA_ARGS__);                                                                          \
        int error = errno;                                                                                          \
        chosen = theirs;                                                                                            \
        asked = 0;                                                                                                  \
        assumed = 1;                                                                                                \
        *P___errno_location() = 0;                                                                                  \
        double mine = P_##name(__VA_ARGS__);                                                                        \
        if (!same_double(mine, theirs) || !assumed || (!asked && *P___errno_location() != error))                   \
            REPORT(#name "(%a, %a): %a%s, error %d, but %a, error %d\n", x, y, mine, assumed ? "" : " (not assumed)", *P___errno_location(), theirs, error); \
    } while (0)

double P_machine_round(double x) { return round(x); }
double P_machine_floor(double x) { return floor(x); }
double P_machine_ceil(double x) { return ceil(x); }
double P_machine_trunc(double x) { return trunc(x); }
double P_machine_sqrt(double x) { return sqrt(x); }
float P_machine_sqrtf(float x) { return sqrtf(x); }
double P_machine_fmod(double x, double y) { return fmod(x, y); }

static void check_real(double x) {
    ONE(fabs); ONE(floor); ONE(ceil); ONE(trunc); ONE(round); ONE(rint); ONE(nearbyint); ONE(sqrt); ONE(lround); ONE(llround); ONE(lrint); ONE(llrint);
    ONE(ilogb); ONE(logb);
    double y = 0;
    WITHIN(sin, x); WITHIN(cos, x); WITHIN(tan, x); WITHIN(asin, x); WITHIN(acos, x); WITHIN(atan, x); WITHIN(sinh, x); WITHIN(cosh, x); WITHIN(tanh, x);
    WITHIN(asinh, x); WITHIN(acosh, x); WITHIN(atanh, x); WITHIN(exp, x); WITHIN(exp2, x); WITHIN(expm1, x); WITHIN(log, x); WITHIN(log2, x); WITHIN(log10, x);
    WITHIN(log1p, x); WITHIN(cbrt, x); WITHIN(erf, x); WITHIN(erfc, x);
    __typeof__(frexp) P_frexp;
    __typeof__(modf) P_modf;
    int my_exponent = 7, their_exponent = 7;
    double my_whole, their_whole;
    if (!same_double(P_frexp(x, &my_exponent), frexp(x, &their_exponent)) || (isfinite(x) && my_exponent != their_exponent))
        REPORT("frexp(%a)\n", x);
    if (!same_double(P_modf(x, &my_whole), modf(x, &their_whole)) || !same_double(my_whole, their_whole))
        REPORT("modf(%a)\n", x);
}

static void check_pair(double x, double y) {
    TWO(fmod); TWO(copysign); TWO(fdim); TWO(nextafter);
    __typeof__(fmax) P_fmax, P_fmin;
    if (!(P_fmax(x, y) == fmax(x, y)) && !(x != x && y != y))
        REPORT("fmax(%a, %a)\n", x, y);
    if (!(P_fmin(x, y) == fmin(x, y)) && !(x != x && y != y))
        REPORT("fmin(%a, %a)\n", x, y);
    WITHIN(pow, x, y); WITHIN(atan2, x, y); WITHIN(hypot, x, y);
    if (y > -3000 && y < 3000) {
        __typeof__(ldexp) P_ldexp;
        *P___errno_location() = errno = 0;
        double mine = P_ldexp(x, (int)y), theirs = ldexp(x, (int)y);
        if (!same_double(mine, theirs) || *P___errno_location() != errno)
            REPORT("ldexp(%a, %d): %a, error %d, but %a, error %d\n", x, (int)y, mine, *P___errno_location(), theirs, errno);
    }
}

static void check_mathematics(void) {
    size_t n = sizeof reals / sizeof *reals;
    for (size_t i = 0; i < n; i++) {
        check_real(reals[i]);
        for (size_t j = 0; j < n; j++)
            check_pair(reals[i], reals[j]);
    }
    for (int round = 0; round < 20000; round++) {
        double x = (rand() - rand()) / 65536.0, y = (rand() % 2000 - 1000) / 8.0;
        check_real(x);
        check_pair(x, y);
        check_pair((double)(rand() % 40 - 20), (double)(rand() % 40 - 20));
    }
}

// Options

static int run_options(int mine, int argc, char *const argv[], const char *options, const struct option *longs, char *log) {
    __typeof__(getopt_long) P_getopt_long;
    extern char *P_optarg;
    extern int P_optind, P_opterr, P_optopt;
    char *copy[12];
    int c, steps = 0, flag_at = -1;
    memcpy(copy, argv, sizeof(char *) * (size_t)(argc + 1));
    *log = 0;
    P_optind = optind = 0;
    P_opterr = opterr = 0;
    do {
        flag_at = -1;
        c = mine ? P_getopt_long(argc, copy, options, longs, &flag_at) : getopt_long(argc, copy, options, longs, &flag_at);
        char *argument = mine ? P_optarg : optarg;
        log += sprintf(log, "%d %s %d %d;", c, argument ? argument : "-", mine ? P_optind : optind, flag_at);
        if (c == '?' || c == ':')
            log += sprintf(log, "(%d)", mine ? P_optopt : optopt);
    } while (c != -1 && ++steps < 40);
    for (int i = 0; i < argc; i++)
        log += sprintf(log, " %s", copy[i]);
    return steps;
}

static void check_options(void) {
    static const char *const words[] = {"-a", "-b", "-n", "-n5", "-ab", "-abn", "-c", "-c7", "--", "-", "x", "y", "--alpha", "--al", "--beta", "--beta=3",
                                        "--alpha=1", "--be", "--gamma", "--nothing", "--b", "-z", "-:", "--opt=1", "--opt"};
    static const char *const options[] = {"abn:c::", "+abn:c::", "-abn:c::", ":abn:c::", "+:abn:"};
    static int flag;
    static const struct option longs[] = {{"alpha", 0, 0, 'a'}, {"beta", 1, 0, 'b'}, {"better", 1, 0, 'B'}, {"gamma", 0, &flag, 9}, {"opt", 2, 0, 'o'}, {0, 0, 0, 0}};
    char mine[2000], theirs[2000];
    for (int round = 0; round < 50000; round++) {
        char *argv[12] = {"program"};
        int argc = 1 + rand() % 7;
        for (int i = 1; i < argc; i++)
            argv[i] = (char *)words[(unsigned)rand() % (sizeof words / sizeof *words)];
        const char *list = options[rand() % 5];
        run_options(1, argc, argv, list, longs, mine);
        run_options(0, argc, argv, list, longs, theirs);
        if (strcmp(mine, theirs)) {
            REPORT("getopt_long \"%s\":\n  %s\n  %s\n", list, mine, theirs);
        }
    }
}

// Errors, signals, memory, environment

UNDER_TEST(strerror) UNDER_TEST(strsignal) UNDER_TEST(sigemptyset) UNDER_TEST(sigfillset) UNDER_TEST(sigaddset) UNDER_TEST(sigdelset) UNDER_TEST(sigismember)
UNDER_TEST(posix_memalign) UNDER_TEST(memalign) UNDER_TEST(setenv) UNDER_TEST(unsetenv) UNDER_TEST(getenv) UNDER_TEST(putenv) UNDER_TEST(clearenv)
int __xpg_strerror_r(int error, char *to, size_t room);
UNDER_TEST(__xpg_strerror_r) UNDER_TEST(nanosleep) UNDER_TEST(clock_nanosleep)

#define SAME(expression, other)                                                                             \
    do {                                                                                                    \
        *P___errno_location() = errno = 0;                                                                  \
        long mine = (long)(expression), theirs = (long)(other);                                             \
        if (mine != theirs || *P___errno_location() != errno)                                               \
            REPORT(#expression ": %ld, error %d, but %ld, error %d\n", mine, *P___errno_location(), theirs, errno); \
    } while (0)

static void check_others(void) {
    for (int i = -2; i < 140; i++) {
        char mine[64], theirs[64];
        if (strcmp(P_strerror(i), strerror(i)))
            REPORT("strerror(%d): '%s' but '%s'\n", i, P_strerror(i), strerror(i));
        if (strcmp(P_strsignal(i), strsignal(i)))
            REPORT("strsignal(%d): '%s' but '%s'\n", i, P_strsignal(i), strsignal(i));
        for (size_t room = 5; room < 64; room += 29)
            if (P___xpg_strerror_r(i, mine, room) != __xpg_strerror_r(i, theirs, room) || strcmp(mine, theirs))
                REPORT("strerror_r(%d)\n", i);
    }
    sigset_t a, b;
    for (int fill = 0; fill < 2; fill++) {
        SAME(fill ? P_sigfillset(&a) : P_sigemptyset(&a), fill ? sigfillset(&b) : sigemptyset(&b));
        for (int i = -1; i < 70; i++) {
            SAME(P_sigismember(&a, i), sigismember(&b, i));
            SAME(i % 3 ? P_sigaddset(&a, i) : P_sigdelset(&a, i), i % 3 ? sigaddset(&b, i) : sigdelset(&b, i));
            SAME(P_sigismember(&a, i), sigismember(&b, i));
        }
    }
    static const size_t alignments[] = {0, 1, 2, 3, 4, 8, 16, 24, 32, 48, 64, 100, 4096, 1 << 20};
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        void *p = 0, *q = 0;
        SAME(P_posix_memalign(&p, alignments[i], 100), posix_memalign(&q, alignments[i], 100));
        assert(!p || (uintptr_t)p % alignments[i] == 0);
        free(p);
        free(q);
        p = P_memalign(alignments[i], 100);
        assert(p && (!alignments[i] || (alignments[i] & (alignments[i] - 1)) || (uintptr_t)p % alignments[i] == 0));
        free(p);
    }
    P_clearenv();
    clearenv();
    static const char *const names[] = {"A", "B", "AB", "", "A=B"};
    static char put[] = "B=put", bare[] = "AB";
    for (int round = 0; round < 3000; round++) {
        const char *name = names[rand() % 5], *value = names[rand() % 5];
        switch (rand() % 4) {
        case 0: SAME(P_setenv(name, value, round % 2), setenv(name, value, round % 2)); break;
        case 1: SAME(P_unsetenv(name), unsetenv(name)); break;
        case 2: SAME(P_putenv(round % 2 ? put : bare), putenv(round % 2 ? put : bare)); break;
        }
        for (int i = 0; i < 3; i++) {
            char *mine = P_getenv(names[i]), *theirs = getenv(names[i]);
            if (!mine != !theirs || (mine && strcmp(mine, theirs)))
                REPORT("getenv(%s): %s but %s\n", names[i], mine ? mine : "none", theirs ? theirs : "none");
        }
    }
    static const struct timespec times[] = {{0, 0}, {0, -1}, {0, 1000000000}, {-1, 0}, {0, 1}};
    for (int i = 0; i < 5; i++) {
        SAME(P_nanosleep(&times[i], 0), nanosleep(&times[i], 0));
        for (int clock = -1; clock < 13; clock++)
            if (clock != 2 && clock != 8 && clock != 9)
                SAME(P_clock_nanosleep(clock, 0, &times[i], 0), clock_nanosleep(clock, 0, &times[i], 0));
    }
}

void check_tables(void) {
    check_reals();
    check_calendar();
    check_mathematics();
    check_options();
    check_others();
    assert(wrong == 0);
}
