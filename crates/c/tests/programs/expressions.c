/* Operators, conversions, evaluation of constants. */
int printf(const char *, ...);

enum e { A, B = 5, C };
typedef unsigned char u8;

static int side;
static int bump(int x) { side++; return x; }

int main(void) {
    int a = 7, b = -3;
    unsigned u = 5;
    long long w = 1LL << 40;
    printf("%d %d %d %d\n", a / b, a % b, -a / 2, -a % 2);
    printf("%d %d %u\n", a << 2, b >> 1, u - 6);
    printf("%d %d\n", u > b, (int)u > b);
    printf("%lld %llu\n", w * 3 - 1, (unsigned long long)-1);
    printf("%d %d\n", a && bump(0), a || bump(1));
    printf("%d\n", side);
    printf("%d\n", a > 3 ? bump(10) : bump(20));
    printf("%d\n", side);
    printf("%d\n", (bump(1), bump(2), 42));
    printf("%d %d\n", B, C);
    u8 c = 250;
    c += 10;
    printf("%d %d\n", c, (u8)(c - 5));
    printf("%d\n", sizeof(char) == 1 && sizeof(int) == 4 ? 1 : 0);
    int i = 5;
    int j = i++ + 2;
    printf("%d %d\n", i, j);
    printf("%d\n", --i);
    printf("%d %d\n", !a, !!a);
    printf("%d %d\n", ~a, -(-a));
    _Bool t = 256;
    printf("%d %d\n", t, (_Bool)0.5);
    double d = 1.0 / 3;
    float f = (float)d;
    printf("%.10f %.10f %d\n", d, (double)f, (int)(d * 10));
    printf("%g %g %e\n", 1e100, 0x1.8p3, 123.456);
    printf("%d %d\n", d < f, d == d);
    printf("%u %d\n", (unsigned)3.99, (int)-3.99);
    printf("%x %o %X %c\n", 255, 8, 48879, 'x');
    printf("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);
    printf("%d\n", ({ int k = 3; k * k; }));
    printf("%d\n", a ?: 9);
    printf("%d\n", 0 ?: 9);
    printf("%d\n", _Generic(w, int: 1, long long: 2, default: 3));
    printf("%d\n", __builtin_popcount(255u) + __builtin_clz(1u) + __builtin_ctz(8u) + __builtin_ffs(0));
    printf("%x\n", __builtin_bswap32(0x12345678u));
    int r;
    printf("%d ", __builtin_add_overflow(2147483647, 1, &r));
    printf("%d ", r);
    printf("%d ", __builtin_mul_overflow(3, 4, &r));
    printf("%d\n", r);
    long double ld = 1.5L;
    ld = ld * 2 + 0.25L;
    printf("%d\n", (int)(ld * 100));
    __int128 big = (__int128)1 << 100;
    printf("%d\n", (int)(big >> 98));
    return 0;
}
