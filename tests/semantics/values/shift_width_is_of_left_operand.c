//! The width that limits a shift is that of the left operand alone: a 64-bit amount does not widen it.
//! expect: no-bad-shift false
int main(void) {
    volatile long long by = 40;
    int y = 1 << by; // violation: no-bad-shift
    return y == 0;
}
