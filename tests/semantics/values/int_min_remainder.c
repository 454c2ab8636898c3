//! INT_MIN % -1 is an overflow, although its mathematical value is 0.
//! expect: no-overflow false
//! expect: no-div-zero false
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
    if (d == -1)
        return (x % d) == 0; // violation: no-overflow, no-div-zero
    return 0;
}
