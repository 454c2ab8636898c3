//! Exactly one of the threads that pass a barrier is told that it is the serial one.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int answer[2];

static void *child(void *arg) {
    answer[0] = pthread_barrier_wait(&b);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&a, 0, child, 0);
    answer[1] = pthread_barrier_wait(&b);
    pthread_join(a, 0);
    assert(answer[0] + answer[1] == PTHREAD_BARRIER_SERIAL_THREAD && answer[0] * answer[1] == 0);
    return 0;
}
