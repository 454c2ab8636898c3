// classes: 3
// y is read late: the first section came first (1); y is read early: two orders of the sections (2).
#include <pthread.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t0(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    y = 1;
    return arg;
}
static void *t1(void *arg) {
    int a = y;
    pthread_mutex_lock(&m);
    x = 2;
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
