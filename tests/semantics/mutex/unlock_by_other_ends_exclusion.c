//! While a thread believes to hold a mutex that another one has unlocked, a third can take it.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *thief(void *arg) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(!inside); // violation: unreach-call
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, thief, 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
