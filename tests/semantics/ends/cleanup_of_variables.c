//! The cleanup of a variable runs when its scope is left, however that is, the last declared first; the result is known before.
//! expect: unreach-call true
#include <assert.h>

static int order;
static void ends(int *number) { order = order * 10 + *number; }
#define SCOPED __attribute__((cleanup(ends))) int

static int returns(int n) {
    SCOPED one = 1;
    SCOPED two = 2;
    if (n)
        return order;
    for (int i = 0; i < 2; i++) {
        SCOPED three = 3;
        if (i)
            break;
        continue;
    }
    return ({ SCOPED four = 4; order + four; });
}

static void falls(void) { SCOPED five = 5; }

int main(void) {
    assert(returns(1) == 0 && order == 21);
    order = 0;
    assert(returns(0) == 37 && order == 33421);
    order = 0;
    {
        SCOPED six = 6;
        goto out;
    }
out:
    falls();
    assert(order == 65);
    return 0;
}
