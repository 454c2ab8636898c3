//! The process may end in a region, when another thread has something on the heap that nobody knows of.
//! expect: valid-memtrack false
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void *make(void *argument) {
    (void)argument;
    return malloc(4);
}

static void *leave(void *argument) {
    __VERIFIER_atomic_begin();
    exit(0);
    __VERIFIER_atomic_end();
    return argument;
}

int main(void) {
    pthread_t a, b;
    void *made;
    pthread_create(&b, 0, leave, 0);
    pthread_create(&a, 0, make, 0);
    pthread_join(a, &made);
    free(made);
    pthread_join(b, 0);
    return 0;
}
