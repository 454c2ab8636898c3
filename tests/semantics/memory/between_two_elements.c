//! A read at an unknown place need not begin where an element does: it sees bytes of two.
//! expect: unreach-call false
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned words[3];

int main(void) {
    unsigned at = __VERIFIER_nondet_uint();
    if (at > 8)
        return 0;
    unsigned *word = (unsigned *)((char *)words + at);
    *word = 1;
    assert(at % 4 == 0); // violation: unreach-call
    return 0;
}
