//! A call through a pointer of another type truncates arguments and results, or extends them with zeros.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>

static int less(int x) { return x - 1; }
static long more(long x) { return x + 1; }
static int sum(int x, int y) { return x + y; }

int main(void) {
    long (*wide)(int) = (long (*)(int))(void (*)(void))less;
    int (*narrow)(long) = (int (*)(long))(void (*)(void))more;
    int (*ignores)(int, int, int) = (int (*)(int, int, int))(void (*)(void))sum;
    assert((int)wide(0) == -1);
    assert(narrow(4) == 5);
    assert(ignores(1, 2, 3) == 3);
    return 0;
}
