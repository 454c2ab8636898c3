//! The second thread is made when the first may be anywhere, also behind its write: but not always.
//! expect: no-data-race false
#include <pthread.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument) {
    x = 1;
    return argument;
}

static void *second(void *argument) {
    int seen = x;
    (void)seen;
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_create(&b, 0, second, 0);
    return 0;
}
