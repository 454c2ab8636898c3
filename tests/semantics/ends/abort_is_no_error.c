//! abort ends the process and is not itself a violation of unreach-call.
//! expect: unreach-call true
//! gcc: skip abort ends the process with a signal
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        abort();
    assert(n >= 0);
    return 0;
}
