//! A store to a bit-field does not use the neighbours that were never written.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>

int main(void) {
    struct { unsigned a : 3, b : 3, c : 12; } s;
    s.b = 5;
    if (s.b != 5)
        assert(0);
    s.c = 700;
    assert(s.b == 5 && s.c == 700);
    return 0;
}
