//! Handlers given to atexit do not run on abort.
//! expect: unreach-call true
//! gcc: skip abort ends the process with a signal
#include <assert.h>
#include <stdlib.h>

static void at_end(void) { assert(0); }

int main(void) {
    atexit(at_end);
    abort();
}
