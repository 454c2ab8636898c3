//! An input takes only values of its type; _Bool is 0 or 1.
//! expect: unreach-call true
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    int b = __VERIFIER_nondet_bool();
    int s = __VERIFIER_nondet_short();
    assert(c >= 0 && c <= 255);
    assert(b == 0 || b == 1);
    assert(s >= -32768 && s <= 32767);
    return 0;
}
