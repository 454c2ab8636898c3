//! After a join the id of the thread may be given to a new one.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static void *child(void *arg) { return arg; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, child, 0);
    assert(!pthread_equal(a, b)); // violation: unreach-call
    pthread_join(b, 0);
    return 0;
}
