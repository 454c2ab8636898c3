// classes: 4 no-deadlock
// The signal comes before the sleep (then the wait expires); it wakes the sleeper; or the wait expires before it, and the mutex is taken again before or after the other's section.
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
static void *t0(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *t1(void *arg) {
    struct timespec t = {0, 0};
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &t);
    pthread_mutex_unlock(&m);
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
