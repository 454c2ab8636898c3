//! `_Exit` runs no destructor.
//! expect: unreach-call true
#include <assert.h>
#include <stdlib.h>

static int open = 1;
__attribute__((destructor)) static void closes(void) { assert(!open); }

int main(void) { _Exit(0); }
