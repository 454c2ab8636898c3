/* Statements: loops, switch in all its forms, goto, static locals, function pointers, variadic calls. */
int printf(const char *, ...);
typedef __builtin_va_list va_list;

static void duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
    } while (--n > 0);
    }
}

static int classify(int x) {
    switch (x) {
    case 1 ... 9: return 1;
    case 10 ... 9999: return 2;
    case -5: x++; /* fall through */
    case -6: { int y = x; int *p = &y; return *p; }
    default: return 0;
    }
}

static int counter(void) {
    static int n = 10;
    return n++;
}

static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int (*table[2])(int, int) = { add, mul };
static int apply(int (*f)(int, int), int a, int b) { return (*f)(a, b) + f(a, b); }

struct pair { int a; double b; };

static double total(int n, ...) {
    va_list ap, copy;
    __builtin_va_start(ap, n);
    __builtin_va_copy(copy, ap);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += __builtin_va_arg(ap, int);
    sum += __builtin_va_arg(ap, double);
    sum += (double)__builtin_va_arg(ap, long long);
    struct pair p = __builtin_va_arg(ap, struct pair);
    sum += p.a + p.b;
    sum += __builtin_va_arg(copy, int);
    __builtin_va_end(ap);
    __builtin_va_end(copy);
    return sum;
}

int old(a, b) int a; char b; { return a + b; }

static int labels(int n) {
    int i = 0, sum = 0;
again:
    if (i < n) {
        int square = i * i;
        int *p = &square;
        sum += *p;
        i++;
        goto again;
    }
    { __label__ done; if (sum > 3) goto done; sum = -1; done: ; }
    return sum;
}

int main(void) {
    char buf[20] = { 0 };
    duff(buf, "hello, world", 12);
    printf("%s\n", buf);
    printf("%d %d %d %d %d\n", classify(5), classify(500), classify(-5), classify(-6), classify(-7));
    counter();
    counter();
    printf("%d\n", counter());
    printf("%d %d %d\n", table[0](3, 4), table[1](3, 4), apply(&mul, 5, 6));
    struct pair p = { 4, 0.5 };
    printf("%f\n", total(3, 1, 2, 3, 2.25, 1000000000000LL, p));
    printf("%d\n", old(40, 2));
    printf("%d\n", labels(4));
    int k = 0;
    for (;;) {
        if (k++ == 3) continue;
        if (k > 6) break;
        do { if (k == 5) break; } while (0);
    }
    printf("%d\n", k);
    while (k) { switch (k--) { case 3: continue; case 1: break; default: ; } if (k == 2) break; }
    printf("%d\n", k);
    unsigned char c = 200;
    switch (c) { case 200: printf("two hundred\n"); }
    long long big = 1LL << 33;
    switch (big) { case 1LL << 33: printf("big\n"); break; case 0: printf("zero\n"); }
    if (0) { unreached: printf("jumped\n"); goto out; }
    goto unreached;
out:
    return 0;
}
