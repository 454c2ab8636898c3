//! memcpy must stay inside both objects.
//! expect: valid-memsafety false(valid-deref)
#include <string.h>

static char from[8], to[4];

int main(void) {
    volatile size_t n = 5;
    memcpy(to, from, n); // violation: valid-memsafety
    return 0;
}
