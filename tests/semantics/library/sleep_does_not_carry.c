//! Nanoseconds of more than a second are no time to sleep.
//! expect: unreach-call false
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec duration = {0, 1500000000};
    int result = nanosleep(&duration, 0);
    assert(result == 0); // violation: unreach-call
    return 0;
}
