//! An input that is one of two values decides how many threads there are, and what their sum is.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *adds(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        total++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t t[2];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 2)
        return 0;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, adds, 0);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    assert(total == 3 * n);
    return 0;
}
