//! Two readers can be inside at the same time.
//! expect: unreach-call false
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    inside++;
    assert(inside == 1); // violation: unreach-call
    inside--;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    reader(0);
    pthread_join(a, 0);
    return 0;
}
