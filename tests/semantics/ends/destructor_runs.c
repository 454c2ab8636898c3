//! A destructor runs when `main` returns, also without a handler of atexit.
//! expect: unreach-call false
//! gcc: skip the assertion fails
#include <assert.h>

static int open = 1;
__attribute__((destructor)) static void closes(void) { assert(!open); } // violation: unreach-call

int main(void) { return 0; }
