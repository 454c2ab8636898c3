//! A lock is freed by its holder while another thread may wait for it.
//! expect: no-data-race false
//! gcc: skip undefined
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t *lock;

void *wait(void *argument) {
    pthread_mutex_lock(argument); // violation: no-data-race
    return 0;
}

int main(void) {
    pthread_t t;
    lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, 0);
    pthread_mutex_lock(lock);
    pthread_create(&t, 0, wait, lock);
    free(lock); // violation: no-data-race
    return 0;
}
