//! What a pipe does with its own memory protects nothing of the program's: two reads into one buffer race.
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];
static char buffer;

static void *reads(void *a) {
    assert(read(first[0], &buffer, 1) == 1); // violation: no-data-race
    return a;
}

int main(void) {
    pthread_t t;
    if (pipe(first) || pipe(second))
        return 1;
    assert(write(first[1], "x", 1) == 1);
    assert(write(second[1], "x", 1) == 1);
    pthread_create(&t, 0, reads, 0);
    assert(read(second[0], &buffer, 1) == 1); // violation: no-data-race
    pthread_join(t, 0);
    return 0;
}
