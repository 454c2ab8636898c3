//! On LP64 members are aligned to their size.
//! expect: unreach-call true
#include <assert.h>
#include <stddef.h>

struct mixed { char c; long long x; char d; double y; };

int main(void) {
    assert(offsetof(struct mixed, x) == 8 && offsetof(struct mixed, y) == 24);
    assert(sizeof(struct mixed) == 32);
    return 0;
}
