//! A case label behind a store does not execute it.
//! expect: no-uninit false
extern int __VERIFIER_nondet_int(void);

int main(void) {
    switch (__VERIFIER_nondet_int()) {
        int x;
    case 0:
        x = 1;
    case 1:
        if (x) // violation: no-uninit
            return 1;
    }
    return 0;
}
