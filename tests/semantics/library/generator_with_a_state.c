//! `lrand48_r` calculates as POSIX says, with the state it is given.
//! expect: unreach-call true
//! expect: no-uninit true
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int main(void) {
    struct drand48_data state;
    long first, second;
    srand48_r(1, &state);
    lrand48_r(&state, &first);
    lrand48_r(&state, &second);
    assert(first == 89400484 && second == 976015093);
    return 0;
}
