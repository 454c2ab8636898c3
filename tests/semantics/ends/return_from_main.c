//! Returning from main ends the process: a thread that joins main never gets past the join.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *child(void *arg) {
    pthread_join(main_thread, 0);
    assert(arg != 0);
    return arg;
}

int main(void) {
    pthread_t a;
    main_thread = pthread_self();
    pthread_create(&a, 0, child, 0);
    return 0;
}
