//! A comparison of vectors is -1 where it holds and 0 elsewhere, in integers as wide as the elements.
//! expect: unreach-call true
#include <assert.h>

typedef float f4 __attribute__((vector_size(16)));
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
typedef signed char s8 __attribute__((vector_size(8)));

int main(void) {
    f4 x = {1.0f, 2.5f, -1.0f, 0.0f}, y = {2.0f, 2.5f, -2.0f, 0.5f};
    v4 less = x < y, same = x == y;
    assert(less[0] == -1 && less[1] == 0 && less[2] == 0 && less[3] == -1);
    assert(same[0] == 0 && same[1] == -1);
    b8 a = {200, 1, 2, 3, 4, 5, 6, 7};
    s8 high = a > 100;
    assert(high[0] == -1 && high[7] == 0);
    return 0;
}
