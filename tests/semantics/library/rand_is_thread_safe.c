//! rand can be used by all threads.
//! expect: no-data-race true
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    (void)rand();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
