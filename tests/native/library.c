// Compares the modelled library with the C library of this machine, on random arguments.
//
// The modelled library is compiled by gcc with the prefix P_ on all its symbols (see check-library); this
// file supplies the few intrinsics that sequential functions need.
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Intrinsics

static char output[4096];
static size_t output_length;

void P___raddle_putchar(int stream, int c) {
    (void)stream;
    output[output_length++] = (char)c;
}

// What was written since it was last asked for.
const char *take_output(void);
const char *take_output(void) {
    output[output_length] = 0;
    output_length = 0;
    return output;
}

int P___raddle_format_float(double v, int conversion, int precision, int flags, int width, int index) {
    char format[16], text[1024], *at = format;
    *at++ = '%';
    for (int i = 0; i < 5; i++)
        if (flags & 1 << i)
            *at++ = "-+ #0"[i];
    sprintf(at, "*.*%c", conversion);
    int n = snprintf(text, sizeof text, format, width, precision, v);
    return index < n ? text[index] : 0;
}

void *P___raddle_malloc(unsigned long n) { return malloc(n); }
void *P___raddle_calloc(unsigned long n) { return calloc(1, n); }
void *P___raddle_aligned_alloc(unsigned long a, unsigned long n) { return aligned_alloc(a, (n + a - 1) / a * a); }
void *P___raddle_aligned_calloc(unsigned long a, unsigned long n) { return memset(P___raddle_aligned_alloc(a, n), 0, n); }
void P___raddle_free(void *p) { free(p); }
unsigned long P___raddle_object_size(void *p) { return malloc_usable_size(p); }
_Noreturn void P___raddle_exit(int status) { exit(status); }
_Noreturn void P___raddle_abort(void) { abort(); }
int P___raddle_uses(const char *name) { (void)name; return 1; }
_Bool P___raddle_nondet_bool(void) { return rand() & 1; }
unsigned char P___raddle_nondet_uchar(void) { return (unsigned char)rand(); }
int P___raddle_nondet_int(void) { return rand(); }
unsigned P___raddle_nondet_uint(void) { return (unsigned)rand(); }
unsigned long long P___raddle_nondet_ullong(void) { return (unsigned long long)rand(); }
unsigned long P___raddle_nondet_ulong(void) { return (unsigned long)rand(); }
void P___raddle_yield(void) {}
void P___raddle_fuse_begin(void) {}
void P___raddle_fuse_end(void) {}
char P_raddle_environment[4][16];

// What is assumed holds for the value that the function chose, or the call is no result to compare.
int assumed;
void P___raddle_assume(int condition) { assumed &= condition; }

// The library under test: P_strlen has the type of strlen, and so on.

#define UNDER_TEST(name) __typeof__(name) P_##name;
UNDER_TEST(strlen) UNDER_TEST(strnlen) UNDER_TEST(strcmp) UNDER_TEST(strncmp) UNDER_TEST(strcasecmp)
UNDER_TEST(strchr) UNDER_TEST(strrchr) UNDER_TEST(strstr) UNDER_TEST(strcasestr) UNDER_TEST(strspn)
UNDER_TEST(strcspn) UNDER_TEST(strpbrk) UNDER_TEST(strtok_r) UNDER_TEST(strsep) UNDER_TEST(stpncpy)
UNDER_TEST(strncat) UNDER_TEST(memmem) UNDER_TEST(memchr) UNDER_TEST(memrchr) UNDER_TEST(memccpy)
UNDER_TEST(memcmp) UNDER_TEST(memmove) UNDER_TEST(memset) UNDER_TEST(memcpy)
UNDER_TEST(strtol) UNDER_TEST(strtoul) UNDER_TEST(strtod) UNDER_TEST(qsort) UNDER_TEST(bsearch) UNDER_TEST(realloc)
UNDER_TEST(snprintf) UNDER_TEST(printf) UNDER_TEST(puts) UNDER_TEST(sscanf)
UNDER_TEST(isalpha) UNDER_TEST(ispunct) UNDER_TEST(isspace) UNDER_TEST(tolower) UNDER_TEST(toupper)
UNDER_TEST(__ctype_b_loc) UNDER_TEST(__ctype_tolower_loc) UNDER_TEST(__ctype_toupper_loc) UNDER_TEST(__errno_location)

void check_tables(void); // library_tables.c

static unsigned below(unsigned n) { return (unsigned)rand() % n; }
static int sign(int n) { return (n > 0) - (n < 0); }
static long offset(const void *p, const void *base) { return p ? (const char *)p - (const char *)base : -1; }

static void random_text(char *to, unsigned room, const char *letters) {
    unsigned n = below(room), kinds = (unsigned)strlen(letters);
    for (unsigned i = 0; i < n; i++)
        to[i] = letters[below(kinds)];
    to[n] = 0;
}

static void check_strings(void) {
    static const char letters[] = "abABc \t,\xe9";
    char a[32], b[8], c[8], d[8], mine[128], theirs[128];
    for (int round = 0; round < 100000; round++) {
        random_text(a, 24, letters);
        random_text(b, 4, letters);
        random_text(c, 6, letters);
        random_text(d, 6, letters);
        unsigned n = below(20);
        assert(P_strlen(a) == strlen(a) && P_strnlen(a, n) == strnlen(a, n));
        assert(P_strstr(a, b) == strstr(a, b) && P_strcasestr(a, b) == strcasestr(a, b));
        assert(P_strchr(a, a[0]) == strchr(a, a[0]) && P_strchr(a, 0) == strchr(a, 0));
        assert(P_strrchr(a, 'b') == strrchr(a, 'b') && P_strrchr(a, 0) == strrchr(a, 0));
        assert(P_strspn(a, b) == strspn(a, b) && P_strcspn(a, b) == strcspn(a, b) && P_strpbrk(a, b) == strpbrk(a, b));
        assert(sign(P_strcmp(c, d)) == sign(strcmp(c, d)) && sign(P_strncmp(c, d, 3)) == sign(strncmp(c, d, 3)));
        assert(sign(P_strcasecmp(c, d)) == sign(strcasecmp(c, d)) && sign(P_memcmp(a, a + 1, n)) == sign(memcmp(a, a + 1, n)));
        assert(P_memmem(a, strlen(a), b, strlen(b)) == memmem(a, strlen(a), b, strlen(b)));
        assert(P_memchr(a, 'c', n) == memchr(a, 'c', n) && P_memrchr(a, 'c', n) == memrchr(a, 'c', n));

        for (int i = 0; i < 64; i++)
            mine[i] = theirs[i] = (char)i;
        unsigned to = below(20), from = below(20);
        P_memmove(mine + to, mine + from, n);
        memmove(theirs + to, theirs + from, n);
        P_memset(mine + 3, round, from);
        memset(theirs + 3, round, from);
        P_memcpy(mine + 64, mine, n);
        memcpy(theirs + 64, theirs, n);
        assert(memcmp(mine, theirs, 64 + n) == 0);
        assert(offset(P_stpncpy(mine, a, n), mine) == offset(stpncpy(theirs, a, n), theirs));
        assert(offset(P_memccpy(mine + 40, a, 'c', n), mine) == offset(memccpy(theirs + 40, a, 'c', n), theirs));
        assert(memcmp(mine, theirs, 64) == 0);
        strcpy(mine, b);
        strcpy(theirs, b);
        assert(strcmp(P_strncat(mine, a, n), strncat(theirs, a, n)) == 0);

        char *my_rest, *their_rest, *my_token, *their_token;
        strcpy(mine, a);
        strcpy(theirs, a);
        my_token = P_strtok_r(mine, b, &my_rest);
        their_token = strtok_r(theirs, b, &their_rest);
        for (; my_token || their_token; my_token = P_strtok_r(0, b, &my_rest), their_token = strtok_r(0, b, &their_rest))
            assert(offset(my_token, mine) == offset(their_token, theirs) && strcmp(my_token, their_token) == 0);
        strcpy(my_rest = mine, a);
        strcpy(their_rest = theirs, a);
        do {
            my_token = P_strsep(&my_rest, b);
            their_token = strsep(&their_rest, b);
            assert(offset(my_token, mine) == offset(their_token, theirs));
        } while (my_token);
    }
}

static void check_characters(void) {
    for (int c = -128; c < 256; c++) {
        assert((*P___ctype_b_loc())[c] == (*__ctype_b_loc())[c]);
        assert((*P___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c]);
        assert((*P___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c]);
    }
    for (int c = 0; c < 256; c++) {
        assert(!P_isalpha(c) == !isalpha(c) && !P_ispunct(c) == !ispunct(c) && !P_isspace(c) == !isspace(c));
        assert(P_tolower(c) == tolower(c) && P_toupper(c) == toupper(c));
    }
}

static void check_numbers(void) {
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    static const char *const reals[] = {"0.1", "3.14159", "-2.5e3", "1e10", "123456.789", "1e-5", ".5", "5.", "abc", "1e", "7e22"};
    char text[32], *my_end, *their_end;
    for (int round = 0; round < 100000; round++) {
        random_text(text, 24, round % 3 ? " +-0x19aAfzZ7\t" : "-0123456789");
        int base = bases[below(6)];
        *P___errno_location() = errno = 0;
        assert(P_strtol(text, &my_end, base) == strtol(text, &their_end, base) && my_end == their_end);
        assert(*P___errno_location() == errno);
        assert(P_strtoul(text, &my_end, base) == strtoul(text, &their_end, base) && my_end == their_end);
        assert(*P___errno_location() == errno);
    }
    assert(P_strtol("-9223372036854775808", 0, 10) == LONG_MIN && P_strtol("9223372036854775808", 0, 10) == LONG_MAX);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        assert(P_strtod(reals[i], &my_end) == strtod(reals[i], &their_end) && my_end == their_end);
}

static int by_tens(const void *a, const void *b) {
    int x = *(const int *)a / 10, y = *(const int *)b / 10;
    return (x > y) - (x < y);
}

static void check_sorting(void) {
    for (int round = 0; round < 3000; round++) {
        int mine[40], theirs[40];
        unsigned n = below(40);
        for (unsigned i = 0; i < n; i++)
            mine[i] = theirs[i] = (int)below(100);
        P_qsort(mine, n, sizeof *mine, by_tens);
        qsort(theirs, n, sizeof *theirs, by_tens);
        assert(memcmp(mine, theirs, n * sizeof *mine) == 0);
        int key = (int)below(100);
        int *found = P_bsearch(&key, mine, n, sizeof *mine, by_tens);
        assert(!found == !bsearch(&key, mine, n, sizeof *mine, by_tens) && (!found || by_tens(found, &key) == 0));
    }
}

static int wrong;

__attribute__((format(printf, 1, 2))) static void both(const char *format, ...) {
    __typeof__(vsnprintf) P_vsnprintf;
    char mine[256], theirs[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int my_count = P_vsnprintf(mine, sizeof mine, format, arguments);
    int their_count = vsnprintf(theirs, sizeof theirs, format, again);
    va_end(arguments);
    va_end(again);
    if (my_count != their_count || strcmp(mine, theirs)) {
        printf("%s: '%s' but '%s'\n", format, mine, theirs);
        wrong++;
    }
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void check_printf(void) {
    static const char *const flags[] = {"", "-", "0", "+", " ", "#", "-0", "+0", "#0", "- ", "+-", "#-"};
    static const char *const widths[] = {"", "1", "5", "12"}, *const precisions[] = {"", ".", ".0", ".3", ".10"};
    static const char *const ints[] = {"d", "i", "u", "x", "X", "o", "hhd", "hd", "hu", "hhx"};
    static const char *const longs[] = {"ld", "lu", "lx", "lld", "llu", "llx", "zu", "zd", "jd", "td", "lo"};
    static const char *const reals[] = {"f", "e", "g", "G", "E"}, *const words[] = {"", "a", "hello", "a longer string"};
    static const long long values[] = {0, 1, -1, 42, -42, 127, 128, 255, 65535, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN};
    static const double doubles[] = {0, 1, -1.5, 3.14159265, 1e20, 1e-7, 123456789.125, 0.0 / 0.0, 1 / 0.0};
    char format[32];
#define EACH(list) for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    for (int f = 0; f < 12; f++)
        for (int w = 0; w < 4; w++)
            for (int p = 0; p < 5; p++)
                for (int v = 0; v < 13; v++) {
#define FORMAT(conversion) (sprintf(format, "<%%%s%s%s%s>", flags[f], widths[w], precisions[p], conversion), format)
                    EACH(ints) both(FORMAT(ints[k]), (int)values[v]);
                    EACH(longs) both(FORMAT(longs[k]), values[v]);
                    EACH(reals) both(FORMAT(reals[k]), doubles[v % 9]);
                    both(FORMAT("s"), words[v % 4]);
                    both(FORMAT("c"), 'a' + v);
                }
    both("%p %p|%5d|%-*d|%.*s|%%|%*d", (void *)0, (void *)0x1234, 3, 4, 2, 2, "abc", -6, 7);
    char mine[8] = "zzzzzzz", theirs[8] = "zzzzzzz";
    assert(P_snprintf(mine, 5, "%s-%d", "abcdef", 7) == snprintf(theirs, 5, "%s-%d", "abcdef", 7));
    assert(memcmp(mine, theirs, 8) == 0 && P_snprintf(0, 0, "%d", 12345) == 5);
    P_printf("hi %s %5.2f %c%%\n", "you", 2.5, 'x');
    P_puts("line");
    assert(output_length == 21 && memcmp(output, "hi you  2.50 x%\nline\n", 21) == 0);
    assert(wrong == 0);
}

static void check_scanf(void) {
    static const char *const formats[] = {"%d %x", "%3d%2x", "%i,%i", " %d-%u", "%*d %o", "a%d b%d", "%d%%%d"};
    char text[32];
    for (int round = 0; round < 100000; round++) {
        int mine[2] = {-7, -7}, theirs[2] = {-7, -7};
        const char *format = formats[below(7)];
        random_text(text, 12, "0123 -x,ab%");
        int my_count = P_sscanf(text, format, &mine[0], &mine[1]);
        int their_count = sscanf(text, format, &theirs[0], &theirs[1]);
        if (my_count != their_count || memcmp(mine, theirs, sizeof mine)) {
            printf("'%s' '%s': %d %d %d but %d %d %d\n", text, format, my_count, mine[0], mine[1], their_count, theirs[0], theirs[1]);
            wrong++;
        }
    }
    char a[8], b[8];
    int end;
    assert(P_sscanf("key = value;", "%7[a-z] = %7[^;]%n", a, b, &end) == 2 && !strcmp(a, "key") && !strcmp(b, "value") && end == 11);
    double real;
    assert(P_sscanf(" 2.5x", "%lf%c", &real, a) == 2 && real == 2.5 && a[0] == 'x');
    assert(wrong == 0);
}

void check_network(void);
void check_threads(void); // library_threads.c
void check_system(void);  // library_system.c

int main(void) {
    srand(1);
    setvbuf(stdout, 0, _IOLBF, 0);
    check_strings();
    check_characters();
    check_numbers();
    check_sorting();
    check_printf();
    check_scanf();
    check_tables();
    check_network();
    check_threads();
    check_system();
    int *p = P_realloc(0, 2 * sizeof *p);
    p[0] = 1;
    p[1] = 2;
    p = P_realloc(p, 1000 * sizeof *p);
    assert(p[0] == 1 && p[1] == 2);
    free(p);
    puts("the modelled library agrees with this machine's");
    return 0;
}
