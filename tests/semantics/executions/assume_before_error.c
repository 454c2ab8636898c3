//! An assume in front of the error guards it.
//! expect: unreach-call true
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n != 7);
    if (n == 7)
        reach_error();
    return 0;
}
