//! 64-bit arithmetic on ILP32: carries, products, quotients and shifts cross the word.
//! expect: unreach-call true
//! expect: no-overflow true
//! data-model: ILP32
extern void reach_error(void);

int main(void) {
    volatile long long a = 0xffffffffLL, b = -3;
    volatile unsigned long long u = 0x100000001ULL;
    if (a + 1 != 0x100000000LL)
        reach_error();
    if (a * b != -12884901885LL)
        reach_error();
    if (-12884901885LL / b != a || (a + 1) % 7 != 4)
        reach_error();
    if (u << 31 != 0x8000000080000000ULL || u >> 32 != 1 || b >> 40 != -1)
        reach_error();
    if ((unsigned)u != 1 || sizeof(long long) != 8)
        reach_error();
    return 0;
}
