//! strtod reads infinities, what is no number, hexadecimal fractions, and says what is out of range; strtol refuses a base of one.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    char *end;
    assert(strtod("-inf", &end) < -1e308 && *end == 0);
    double none = strtod("nan", &end);
    assert(none != none && *end == 0);
    assert(strtod("0x1.8p1", &end) == 3.0 && *end == 0);
    errno = 0;
    assert(strtod("1e400", 0) > 1e308 && errno == ERANGE);
    errno = 0;
    assert(strtol("1", 0, 1) == 0 && errno == EINVAL);
    return 0;
}
