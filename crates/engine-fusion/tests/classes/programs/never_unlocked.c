// classes: 2
// Whoever locks first keeps the lock; the other is blocked for good.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t0(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}
static void *t1(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}
int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    return 0;
}
