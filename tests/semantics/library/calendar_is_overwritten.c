//! The next call overwrites what gmtime returned.
//! expect: unreach-call false
#include <assert.h>
#include <time.h>

int main(void) {
    time_t early = 5, late = 7;
    struct tm *first = gmtime(&early);
    gmtime(&late);
    assert(first->tm_sec == 5); // violation: unreach-call
    return 0;
}
