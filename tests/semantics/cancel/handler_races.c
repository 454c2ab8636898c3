//! The handler of a cancelled thread writes what another thread reads before it joins.
//! expect: no-data-race false
#include <pthread.h>
#include <unistd.h>

static int left;

static void notes(void *argument) {
    *(int *)argument = 1; // violation: no-data-race
}

static void *worker(void *argument) {
    pthread_cleanup_push(notes, &left);
    sleep(1);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    pthread_t thread;
    int before;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    before = left; // violation: no-data-race
    pthread_join(thread, 0);
    return before;
}
