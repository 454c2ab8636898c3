//! The time of day can be set back.
//! expect: unreach-call false
//! gcc: skip depends on time
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_REALTIME, &a);
    clock_gettime(CLOCK_REALTIME, &b);
    assert(a.tv_sec <= b.tv_sec); // violation: unreach-call
    return 0;
}
