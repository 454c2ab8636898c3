// classes: 36
// 3! orders of the sections and, behind them, 3! orders of the accesses.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t0(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 1;
    return arg;
}
static void *t1(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    int a = x;
    return arg;
}
static void *t2(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 2;
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
