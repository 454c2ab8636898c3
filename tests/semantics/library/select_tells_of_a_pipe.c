//! select waits until a pipe has something to read, and says which one.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/select.h>

static int ends[2];

static void *writes(void *a) {
    assert(write(ends[1], "x", 1) == 1);
    return a;
}

int main(void) {
    pthread_t t;
    char c;
    fd_set files;
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, writes, 0);
    FD_ZERO(&files);
    FD_SET(ends[0], &files);
    assert(select(ends[0] + 1, &files, 0, 0, 0) == 1);
    assert(FD_ISSET(ends[0], &files));
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
    pthread_join(t, 0);
    return 0;
}
