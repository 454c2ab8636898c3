//! Which thread is the serial one is not fixed.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;

static void *child(void *arg) {
    pthread_barrier_wait(&b);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&a, 0, child, 0);
    int answer = pthread_barrier_wait(&b);
    assert(answer == 0); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
