//! What sections leave behind is looked at through an element of a large array, at an index that is not known.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int last, seen[300];

static void *leaves(void *arg) {
    pthread_mutex_lock(&m);
    last = arg ? 2 : 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    unsigned n = __VERIFIER_nondet_uint();
    if (n >= 300)
        return 0;
    pthread_create(&a, 0, leaves, 0);
    pthread_create(&b, 0, leaves, &m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    seen[n] = last;
    assert(seen[n] == 2); // violation: unreach-call
    return 0;
}
