// Everyday uses of the sequential library. What it prints under `raddle run` is what it prints natively:
// everyday.expected.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int format(char *to, size_t room, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    int n = vsnprintf(to, room, text, arguments);
    va_end(arguments);
    return n;
}

static void goodbye(void) { puts("goodbye"); }

int main(void) {
    char text[100];
    atexit(goodbye);

    printf("%d|%5d|%-5d|%05d|%+d|%x|%#X|%o|%u|%c|%%\n", 42, 42, 42, 42, 42, 255, 255, 8, 4000000000u, 'q');
    printf("%s|%.2s|%8s|%-8s|%*d|%.*s\n", "str", "abcdef", "right", "left", 4, 7, 3, "abcdef");
    printf("%ld %lld %llu %zu %hd %hhd\n", -7L, LLONG_MIN, ULLONG_MAX, (size_t)7, (short)-3, (signed char)-56);
    printf("%f %.3f %e %g %10.2f|%-10.1f|%G\n", 3.14159, 2.5, 12345.678, 0.0001, 1.5, 2.25, 1e20);

    strcpy(text, "hello");
    strcat(text, " world");
    printf("%s, %zu, %s, %s\n", text, strlen(text), strstr(text, "wor"), strrchr(text, 'o'));
    char list[] = "a,b,,c", *rest;
    for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(0, ",", &rest))
        printf("[%s]", word);
    printf("\n%d %d %d\n", memcmp("abc", "abd", 3) < 0, strcmp("b", "a") > 0, strncmp("abc", "abx", 2));
    memmove(text + 2, text, 5);
    puts(text);
    memset(text, 'z', 3);
    puts(text);

    int numbers[] = {5, 3, 9, -1, 7, 7, 2, 11, 0, 4, 8, 6}, seven = 7;
    qsort(numbers, 12, sizeof *numbers, by_value);
    for (int i = 0; i < 12; i++)
        printf("%d ", numbers[i]);
    printf("found %d\n", *(int *)bsearch(&seven, numbers, 12, sizeof *numbers, by_value));

    printf("%ld %d %lu", strtol("-0x1f", 0, 0), atoi(" 17abc"), strtoul("777", 0, 8));
    long long big = strtoll("99999999999999999999", 0, 10);
    printf(" %lld %s\n", big, errno == ERANGE ? "out of range" : "?");
    for (const char *c = "aZ5 !"; *c; c++)
        printf("%d%d%d%c%c ", !!isalpha(*c), !!isdigit(*c), !!isspace(*c), toupper(*c), tolower(*c));
    int n = format(text, 8, "%s-%d", "longer", 12345);
    printf("\n%d %s\n", n, text);

    char *copy = strdup("dup");
    copy = realloc(copy, 100);
    puts(strcat(copy, "licate"));
    free(copy);
    int a, b;
    n = sscanf("12 0x1f word", "%d %i %19s", &a, &b, text);
    printf("%d: %d %d %s\n", n, a, b, text);
    printf("%d %ld %d %.1f\n", abs(-5), labs(-6L), div(17, 5).rem, atof("2.5e2"));
    fputs("fputs ", stdout);
    fwrite("fwrite\n", 1, 7, stdout);
    putchar('!');
    puts(getenv("NO_SUCH_VARIABLE") ? "set" : "unset");
    fprintf(stdout, "%s\n", strerror(EINVAL));
    return 0;
}
