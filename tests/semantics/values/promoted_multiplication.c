//! unsigned short operands are promoted to int: 65535 * 65535 overflows.
//! expect: no-overflow false
int main(void) {
    volatile unsigned short x = 65535;
    unsigned y = x * x; // violation: no-overflow
    return y == 0;
}
