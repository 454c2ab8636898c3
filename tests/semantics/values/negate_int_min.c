//! -INT_MIN is an overflow.
//! expect: no-overflow false
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = -x; // violation: no-overflow
    return y == 0;
}
