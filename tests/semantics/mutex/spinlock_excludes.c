//! A spin lock excludes like a mutex.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t s;
static int x;

static void *child(void *arg) {
    pthread_spin_lock(&s);
    x++;
    pthread_spin_unlock(&s);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(x == 2);
    pthread_spin_destroy(&s);
    return 0;
}
