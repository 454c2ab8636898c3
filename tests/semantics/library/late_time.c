//! There is time after the year 2038.
//! expect: unreach-call false
//! gcc: skip depends on time
#include <assert.h>
#include <time.h>

int main(void) {
    assert(time(0) <= 2147483647); // violation: unreach-call
    return 0;
}
