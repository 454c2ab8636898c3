//! The sum of the first numbers, doubled, is a product. No engine knows such an invariant.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum, last;
static int started;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    started++;
    assert(started <= 2);
    pthread_mutex_unlock(&lock);
    while (__VERIFIER_nondet_uint()) {
        pthread_mutex_lock(&lock);
        last++;
        sum += last;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(2 * sum == last * (last + 1));
    pthread_mutex_unlock(&lock);
    return 0;
}
