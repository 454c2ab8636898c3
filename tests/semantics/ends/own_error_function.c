//! The call of the error function is what counts, whatever the program's own definition of it does.
//! expect: unreach-call false
#include <pthread.h>

int ready;

void reach_error(void) {} // violation: unreach-call

void *worker(void *arg) {
    if (ready)
        reach_error();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    ready = 1;
    pthread_join(t, 0);
    return 0;
}
