//! Leaks are judged on exit, too.
//! expect: valid-memsafety false(valid-memtrack)
#include <stdlib.h>

static void leak(void) {
    int *p = malloc(sizeof *p); // violation: valid-memsafety
    *p = 0;
}

int main(void) {
    leak();
    exit(0);
}
