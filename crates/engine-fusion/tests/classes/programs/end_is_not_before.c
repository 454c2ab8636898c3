// classes: 12
// Two orders of the writes, for each of six results of the first thread. The second stops inside the barrier, which is no barrier.
#include <pthread.h>
int x;
int *p = &x;
static void *t0(void *arg) {
    (void)arg;
    *p = 0;
}
static void *t1(void *arg) {
    x = 0;
    pthread_barrier_wait(0);
    return arg;
}
int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
}
