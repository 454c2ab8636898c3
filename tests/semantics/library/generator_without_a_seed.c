//! `lrand48_r` with a state that nobody has initialised.
//! expect: no-uninit false
//! gcc: skip undefined
#define _GNU_SOURCE
#include <stdlib.h>

int main(void) {
    struct drand48_data state;
    long number;
    lrand48_r(&state, &number); // violation: no-uninit
    return number > 3 ? 1 : 0;
}
