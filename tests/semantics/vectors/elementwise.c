//! Operators on vectors work element by element; a scalar stands for a vector of it.
//! expect: unreach-call true
//! expect: no-overflow true
//! expect: no-uninit true
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, -2, 3, 40}, b = {5, 6, 7, 8};
    v4 sum = a + b, product = a * 3, rest = a % (v4){2, 2, 2, 7}, bits = (a & 6) | (b << 1);
    assert(sum[0] == 6 && sum[1] == 4 && sum[2] == 10 && sum[3] == 48);
    assert(product[0] == 3 && product[1] == -6 && product[2] == 9 && product[3] == 120);
    assert(rest[0] == 1 && rest[1] == 0 && rest[2] == 1 && rest[3] == 5);
    assert(bits[0] == (10 | 0) && bits[3] == (0 | 16));
    assert((-a)[1] == 2 && (~a)[0] == -2);
    a += b;
    a[2] = 9;
    a -= 1;
    assert(a[0] == 5 && a[2] == 8 && a[3] == 47);
    return 0;
}
