//! What sections leave behind besides the sum matters to nobody.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total, last, before;

static void *adds(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        total++;
        before = last;
        last = i;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 6);
    return 0;
}
