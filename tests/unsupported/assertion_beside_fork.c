//! No assertion lies ahead of the branch with `fork` in the program that is verified, but one may.
//! ask: unreach-call
#include <assert.h>
#include <unistd.h>

extern unsigned in(void);
int x;

int main(void) {
    unsigned n = in();
    if (n == 7) {
        fork();
        x = 1;
    }
    assert(x == 0);
    unsigned i = 0, j = 0;
    while (in()) {
        i++;
        j++;
        assert(i == j);
    }
    return 0;
}
