//! A variable whose initialiser is jumped over may be assigned later.
//! expect: no-uninit true
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int())
        goto here;
    int x = 1;
here:
    x = 2;
    if (x)
        return 0;
    return 1;
}
