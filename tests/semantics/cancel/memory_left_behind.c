//! A thread is cancelled between allocating memory and freeing it.
//! expect: valid-memsafety false(valid-memtrack)
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *worker(void *argument) {
    char *room = malloc(4); // violation: valid-memsafety
    sleep(1);
    free(room);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
