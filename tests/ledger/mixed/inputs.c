//! Inputs that divide, shift and index, each guarded.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned cells[4], done;

static void *work(void *arg) {
    unsigned at = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint();
    if (at < 4 && by > 0 && by < 32) {
        pthread_mutex_lock(&lock);
        cells[at] = 100 / by + (1u << by) % 7;
        done++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(done <= 2 && cells[0] <= 106);
    return 0;
}
