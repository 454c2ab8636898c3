//! A copy by memcpy is a copy of all bytes, those between members included.
//! expect: unreach-call true
#include <assert.h>
#include <string.h>

struct uneven {
    char first;
    int second;
};

int main(void) {
    struct uneven a, b;
    memset(&a, 0, sizeof a);
    a.first = 1;
    a.second = 2;
    memcpy(&b, &a, sizeof b);
    assert(b.first == 1 && b.second == 2);
    assert(memcmp(&a, &b, sizeof a) == 0);
    return 0;
}
