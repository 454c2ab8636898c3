//! A reader waits while the other end is open and nothing comes.
//! expect: no-deadlock false
//! expect: unreach-call true
//! gcc: skip blocks by design
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reads(void *a) {
    char c;
    assert(read(ends[0], &c, 1) == 1);
    assert(read(ends[0], &c, 1) == 1); // violation: no-deadlock
    assert(0);
    return a;
}

int main(void) {
    pthread_t t;
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, reads, 0);
    assert(write(ends[1], "x", 1) == 1);
    pthread_join(t, 0); // violation: no-deadlock
    return 0;
}
