//! The calendar has leap years.
//! expect: unreach-call true
#include <assert.h>
#include <time.h>

int main(void) {
    time_t t = 951782400;
    struct tm *leap = gmtime(&t);
    assert(leap->tm_year == 100 && leap->tm_mon == 1 && leap->tm_mday == 29 && leap->tm_wday == 2);
    t = -1;
    assert(gmtime(&t) == leap && leap->tm_year == 69 && leap->tm_sec == 59);
    return 0;
}
