//! What is written behind the byte is not ordered by it.
//! expect: no-data-race false
//! expect: unreach-call false
//! gcc: skip a race
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void *writes(void *a) {
    assert(write(ends[1], "x", 1) == 1);
    data = 42; // violation: no-data-race
    return a;
}

int main(void) {
    pthread_t t;
    char c;
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, writes, 0);
    assert(read(ends[0], &c, 1) == 1);
    assert(data == 42); // violation: no-data-race, unreach-call
    pthread_join(t, 0);
    return 0;
}
