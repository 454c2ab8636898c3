// classes: 7
// Who comes first at each of three mutexes: 2 * 2 * 2, one of which is a deadlock; that everybody's second comes before its neighbour's first is a cycle: 8 - 1.
#include <pthread.h>
pthread_mutex_t m[3];
static void *t0(void *arg) {
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[1]);
    pthread_mutex_unlock(&m[1]);
    pthread_mutex_unlock(&m[0]);
    return arg;
}
static void *t1(void *arg) {
    pthread_mutex_lock(&m[1]);
    pthread_mutex_lock(&m[2]);
    pthread_mutex_unlock(&m[2]);
    pthread_mutex_unlock(&m[1]);
    return arg;
}
static void *t2(void *arg) {
    pthread_mutex_lock(&m[2]);
    pthread_mutex_lock(&m[0]);
    pthread_mutex_unlock(&m[0]);
    pthread_mutex_unlock(&m[2]);
    return arg;
}
int main(void) {
    pthread_t id[3];
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_create(&id[2], 0, t2, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    pthread_join(id[2], 0);
    return 0;
}
