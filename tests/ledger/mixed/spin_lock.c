//! A lock made of an atomic flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag held = ATOMIC_FLAG_INIT;
static int counter;

static void *work(void *arg) {
    while (atomic_flag_test_and_set(&held)) {
    }
    int before = counter;
    counter = before + 1;
    assert(counter == before + 1);
    atomic_flag_clear(&held);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
