//! What comes before create and after join does not race with the thread.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int x;

static void *child(void *arg) {
    x++;
    return arg;
}

int main(void) {
    pthread_t a;
    x = 1;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    x++;
    assert(x == 3);
    return 0;
}
