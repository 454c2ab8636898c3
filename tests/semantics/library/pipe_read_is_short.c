//! A read takes what is there, not all that it asks for.
//! expect: unreach-call false
//! gcc: skip needs an interleaving
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *a) {
    assert(write(ends[1], "a", 1) == 1);
    assert(write(ends[1], "b", 1) == 1);
    return a;
}

int main(void) {
    pthread_t t;
    char two[2];
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, writes, 0);
    long n = read(ends[0], two, 2);
    assert(n == 1 || n == 2);
    assert(two[0] == 'a');
    assert(n == 2); // violation: unreach-call
    pthread_join(t, 0);
    return 0;
}
