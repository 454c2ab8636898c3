//! An execution may stop anywhere: an assume behind the error does not take the error back.
//! expect: unreach-call false
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 7)
        reach_error(); // violation: unreach-call
    __VERIFIER_assume(n != 7);
    return 0;
}
