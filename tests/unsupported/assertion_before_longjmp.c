//! The branch ends in a jump to a place before the assertion.
//! ask: unreach-call
#include <assert.h>
#include <setjmp.h>

extern unsigned in(void);
jmp_buf back;
int x;

int main(void) {
    setjmp(back);
    assert(x < 1000000);
    if (in()) {
        x++;
        longjmp(back, 1);
    }
    unsigned i = 0, j = 0;
    while (in()) {
        i++;
        j++;
        assert(i == j);
    }
    return 0;
}
