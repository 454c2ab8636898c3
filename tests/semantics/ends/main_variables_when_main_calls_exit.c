//! They are not when `main` calls `exit` itself: it never returns.
//! expect: valid-memsafety true
#include <stdlib.h>

static int *left;

static void handler(void) { *left = 1; }

int main(void) {
    int local;
    left = &local;
    atexit(handler);
    exit(0);
}
