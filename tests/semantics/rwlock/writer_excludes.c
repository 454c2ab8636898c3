//! A writer excludes readers and writers.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&l);
    x++;
    x++;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_rwlock_rdlock(&l);
    assert(x % 2 == 0);
    pthread_rwlock_unlock(&l);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 4);
    return 0;
}
