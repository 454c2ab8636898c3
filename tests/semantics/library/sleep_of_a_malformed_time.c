//! A sleep of a malformed time fails at once.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void) {
    struct timespec duration = {0, 1500000000}, before = {-1, 0};
    assert(nanosleep(&duration, 0) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &before, 0) == EINVAL);
    return 0;
}
