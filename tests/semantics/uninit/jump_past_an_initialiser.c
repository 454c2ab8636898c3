//! A jump past an initialiser leaves the variable unwritten.
//! expect: no-uninit false
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int())
        goto here;
    int x = 1;
here:
    if (x) // violation: no-uninit
        return 1;
    return 0;
}
