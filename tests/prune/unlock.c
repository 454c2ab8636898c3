//! The branch that the first execution does not take gives back a lock that somebody else needs.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    if (!flag)
        pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&m);
    assert(x == 0);
    return 0;
}
