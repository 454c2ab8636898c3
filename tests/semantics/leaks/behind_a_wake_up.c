//! What nobody signals may still wake, and what is lost behind it is a leak, whatever else is looked for.
//! expect: valid-memsafety false(valid-memtrack)
//! gcc: skip needs a wake-up without a signal
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t change = PTHREAD_COND_INITIALIZER;
char *memory;

void *sleeper(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&change, &lock);
    memory = malloc(1); // violation: valid-memtrack
    memory = 0;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sleeper, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
