// classes: 4
// One after the other in either order (2), or one fails while the other holds the lock (2).
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t0(void *arg) {
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    return arg;
}
static void *t1(void *arg) {
    if (pthread_mutex_trylock(&m) == 0)
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
