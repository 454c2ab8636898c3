//! A join of a detached thread that still runs is refused with EINVAL and does not wait.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: valid-sync false
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void *child(void *arg) {
    sem_wait(&go);
    return arg;
}

int main(void) {
    pthread_t a;
    void *result = &go;
    sem_init(&go, 0, 0);
    pthread_create(&a, 0, child, 0);
    pthread_detach(a);
    assert(pthread_join(a, &result) == EINVAL); // violation: valid-sync
    assert(result == &go);
    sem_post(&go);
    return 0;
}
