//! A recursive mutex can be taken again by its holder.
//! expect: no-deadlock true
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int x;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&a, 0, child, 0);
    pthread_mutex_lock(&m);
    assert(x == 0 || x == 2);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
