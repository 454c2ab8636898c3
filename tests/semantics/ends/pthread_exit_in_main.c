//! pthread_exit in main ends only that thread: another thread can join main and go on.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *child(void *arg) {
    pthread_join(main_thread, 0);
    assert(arg != 0); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a;
    main_thread = pthread_self();
    pthread_create(&a, 0, child, 0);
    pthread_exit(0);
}
