//! Two threads meet at a barrier before each reads what the other wrote.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int left, right;

static void *work(void *arg) {
    left = 1;
    pthread_barrier_wait(&barrier);
    assert(right == 2);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, work, 0);
    right = 2;
    pthread_barrier_wait(&barrier);
    assert(left == 1);
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
