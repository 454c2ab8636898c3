//! poll waits until a pipe has something to read, and says which one.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <poll.h>

static int first[2], second[2];

static void *writes(void *a) {
    assert(write(second[1], "x", 1) == 1);
    return a;
}

int main(void) {
    pthread_t t;
    char c;
    if (pipe(first) || pipe(second))
        return 1;
    pthread_create(&t, 0, writes, 0);
    struct pollfd files[2] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
    assert(poll(files, 2, -1) == 1);
    assert(files[0].revents == 0 && files[1].revents == POLLIN);
    assert(read(second[0], &c, 1) == 1 && c == 'x');
    pthread_join(t, 0);
    return 0;
}
