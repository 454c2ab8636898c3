//! A byte that is read from a pipe was written before, and so was everything before it.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void *writes(void *a) {
    data = 42;
    assert(write(ends[1], "x", 1) == 1);
    return a;
}

int main(void) {
    pthread_t t;
    char c;
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, writes, 0);
    assert(read(ends[0], &c, 1) == 1);
    assert(c == 'x' && data == 42);
    pthread_join(t, 0);
    return 0;
}
