//! The second thread writes while the first may read: that `main` can have joined the first by then proves nothing.
//! expect: no-data-race false
#include <pthread.h>
#include <semaphore.h>

static int x;
static sem_t free_;

static void *first(void *argument) {
    int seen = x;
    (void)seen;
    return argument;
}

static void *second(void *argument) {
    x = sem_trywait(&free_);
    return argument;
}

int main(void) {
    pthread_t a, b;
    sem_init(&free_, 0, 1);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    return 0;
}
