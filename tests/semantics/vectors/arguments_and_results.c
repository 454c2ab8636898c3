//! Vectors are passed, returned, assigned and kept in structures by value.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>

typedef int v2 __attribute__((vector_size(8)));

struct box {
    v2 low, high;
};

static v2 twice(v2 v) {
    v += v;
    return v;
}

int main(void) {
    v2 a = {3, 4};
    v2 b = twice(a);
    struct box box = {a, b}, copy;
    long long bits = (long long)a;
    copy = box;
    copy.low[1] = 7;
    assert(a[0] == 3 && a[1] == 4 && b[0] == 6 && b[1] == 8);
    assert(box.low[1] == 4 && copy.low[1] == 7 && copy.high[1] == 8);
    assert(twice(b)[1] == 16 && bits == 0x400000003);
    return 0;
}
