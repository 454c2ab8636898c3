//! A sum of vectors is taken for another one in its last element.
//! expect: unreach-call false
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, 2, 3, 4}, b = {1, 1, 1, 1};
    v4 c = a + b;
    assert(c[3] == 4); // violation: unreach-call
    return 0;
}
