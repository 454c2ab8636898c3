//! On ILP32 a long has 32 bits: 2^31 overflows.
//! expect: unreach-call true
//! expect: no-overflow false
//! data-model: ILP32
extern void reach_error(void);

int main(void) {
    volatile long x = 2147483647L;
    long y = x + 1; // violation: no-overflow
    if (y >= 0 || sizeof(long) != 4 || sizeof(void *) != 4)
        reach_error();
    return 0;
}
