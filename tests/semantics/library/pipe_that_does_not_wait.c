//! A non-blocking read of an empty pipe fails with EAGAIN; one of another descriptor, or of the wrong end, with EBADF.
//! expect: unreach-call true
//! expect: no-deadlock true
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <errno.h>
#include <fcntl.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe2(ends, O_NONBLOCK))
        return 1;
    assert(read(ends[0], &c, 1) == -1 && errno == EAGAIN);
    assert(read(ends[1], &c, 1) == -1 && errno == EBADF);
    assert(write(ends[0], &c, 0) == -1 && errno == EBADF);
    assert(fcntl(ends[0], F_SETFL, 0) == 0);
    assert((fcntl(ends[0], F_GETFL) & O_NONBLOCK) == 0);
    assert(write(ends[1], "x", 1) == 1);
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
    assert(close(ends[0]) == 0 && close(ends[1]) == 0);
    assert(close(ends[1]) == -1 && errno == EBADF);
    return 0;
}
