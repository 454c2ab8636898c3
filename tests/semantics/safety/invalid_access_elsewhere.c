//! An invalid access stops one thread only: with memory safety unchecked, the others keep their bugs.
//! expect: unreach-call false
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip ends the process with a signal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *child(void *arg) {
    x = 1;
    *(int *)arg = 1; // violation: valid-memsafety
    x = 0;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    assert(x == 0); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
