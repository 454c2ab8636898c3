//! Locks that are taken in the order of their addresses are taken in one order, wherever they lie.
//! expect: no-deadlock true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void lock_both(pthread_mutex_t *p, pthread_mutex_t *q) {
    if ((uintptr_t)p > (uintptr_t)q) {
        pthread_mutex_t *t = p;
        p = q;
        q = t;
    }
    pthread_mutex_lock(p);
    pthread_mutex_lock(q);
}

static void *one(void *arg) {
    lock_both(&a, &b);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *other(void *arg) {
    lock_both(&b, &a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
