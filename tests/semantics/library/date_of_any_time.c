//! The parts of the date of any time are in their ranges, and any year is possible.
//! expect: unreach-call false
//! gcc: skip depends on the date
#include <assert.h>
#include <time.h>

int main(void) {
    struct tm calendar;
    time_t moment = time(0);
    if (!gmtime_r(&moment, &calendar))
        return 0;
    assert(calendar.tm_mday >= 1 && calendar.tm_mday <= 31 && calendar.tm_hour <= 23);
    assert(calendar.tm_year != 70); // violation: unreach-call
    return 0;
}
