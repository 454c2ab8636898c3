//! The text of an error belongs to its thread.
//! expect: no-data-race true
#include <pthread.h>
#include <string.h>

static void *child(void *arg) {
    (void)strerror(1000);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
