//! A thread that joins itself by a handle it finds in memory goes on with an error code.
//! expect: unreach-call false
//! expect: valid-sync false
//! gcc: skip the join may be of the thread itself
#include <assert.h>
#include <pthread.h>

static pthread_t mine;
static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *w(void *a) {
    pthread_mutex_lock(&m);
    pthread_t me = mine;
    int r = ready;
    pthread_mutex_unlock(&m);
    if (r) {
        pthread_join(me, 0); // violation: valid-sync
        assert(0); // violation: unreach-call
    }
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m);
    mine = t;
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
