//! One thread takes the lock with the smaller address first, the other one the lock with the larger.
//! expect: no-deadlock false
//! gcc: skip does not terminate
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void lock_in_order(pthread_mutex_t *p, pthread_mutex_t *q) {
    pthread_mutex_lock(p);
    pthread_mutex_lock(q); // violation: no-deadlock
}

static void lock_both(pthread_mutex_t *p, pthread_mutex_t *q) {
    if ((uintptr_t)p > (uintptr_t)q) {
        pthread_mutex_t *t = p;
        p = q;
        q = t;
    }
    lock_in_order(p, q);
}

static void *one(void *arg) {
    lock_both(&b, &a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *other(void *arg) {
    if (&a < &b)
        lock_in_order(&b, &a);
    else
        lock_in_order(&a, &b);
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
