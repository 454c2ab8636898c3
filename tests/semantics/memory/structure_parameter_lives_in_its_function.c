//! A parameter that is a structure is the callee's own: it can be changed, and each call has a new one.
//! expect: valid-memsafety true
//! expect: unreach-call true
#include <assert.h>

struct pair {
    int a, b;
};

static int sum(struct pair of, int deep) {
    int *b = &of.b;
    *b += 1;
    return deep ? sum(of, deep - 1) + of.b : of.a + of.b;
}

int main(void) {
    struct pair mine = {1, 2};
    int all = 0;
    for (int i = 0; i < 2; i++)
        all += sum(mine, i);
    assert(all == 4 + 8 && mine.b == 2);
    return 0;
}
