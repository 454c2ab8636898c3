//! A thread-local object lives as long as its thread.
//! expect: valid-memsafety false(valid-deref)
#include <pthread.h>

static _Thread_local int counter = 5;

static void *child(void *arg) {
    (void)arg;
    return &counter;
}

int main(void) {
    pthread_t a;
    void *p;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, &p);
    return *(int *)p == 0; // violation: valid-memsafety
}
