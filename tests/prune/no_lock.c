//! The branch that the first execution does not take goes without the lock.
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
    int locked = flag;
    if (locked)
        pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    if (locked)
        pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
