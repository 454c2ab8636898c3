#include <assert.h>
int a[4], b[4];
int main(void) {
    int *p = a + 4, *q = b;
    assert(p != q);
    return 0;
}
