// classes: 2
// Who arrives last; what they read is settled by the barrier.
#include <pthread.h>
int x, y;
pthread_barrier_t b;
static void *t0(void *arg) {
    x = 1;
    pthread_barrier_wait(&b);
    int a = y;
    return arg;
}
static void *t1(void *arg) {
    y = 1;
    pthread_barrier_wait(&b);
    int a = x;
    return arg;
}
int main(void) {
    pthread_t id[2];
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    return 0;
}
