//! Behind the last byte of a pipe that nobody can write to any more, a read returns 0.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reads(void *a) {
    char c;
    int sum = 0;
    while (read(ends[0], &c, 1) == 1)
        sum += c;
    assert(sum == 3);
    return a;
}

int main(void) {
    pthread_t t;
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, reads, 0);
    assert(write(ends[1], "\1\2", 2) == 2);
    assert(close(ends[1]) == 0);
    pthread_join(t, 0);
    assert(close(ends[0]) == 0);
    return 0;
}
