//! Dates as text.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void) {
    struct tm calendar;
    char text[32];
    time_t moment = 951782399; // the second before the 29th of February, 2000
    assert(gmtime_r(&moment, &calendar));
    assert(strcmp(asctime_r(&calendar, text), "Mon Feb 28 23:59:59 2000\n") == 0);
    moment++;
    assert(gmtime_r(&moment, &calendar) && calendar.tm_yday == 59 && calendar.tm_wday == 2);
    assert(strftime(text, sizeof text, "%F %T %a %j", &calendar) == 27);
    assert(strcmp(text, "2000-02-29 00:00:00 Tue 060") == 0);
    return 0;
}
