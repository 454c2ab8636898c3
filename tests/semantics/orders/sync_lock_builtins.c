//! GCC's lock builtins acquire and release.
//! expect: no-data-race true
#include <pthread.h>
#include <stdatomic.h>

static int data;
static int flag;

static void *first(void *arg) {
    if (!__sync_lock_test_and_set(&flag, 1)) {
        data++;
        __sync_lock_release(&flag);
    }
    return arg;
}

static void *second(void *arg) {
    if (!__sync_lock_test_and_set(&flag, 1)) {
        data++;
        __sync_lock_release(&flag);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
