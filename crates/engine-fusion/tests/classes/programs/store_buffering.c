// classes: 3
// Each read comes before or after the other's write: 2 * 2, less the one in which both writes come after the reads of the other thread, a cycle.
#include <pthread.h>
int x, y, z;
static void *t0(void *arg) {
    x = 1;
    int a = y;
    return arg;
}
static void *t1(void *arg) {
    y = 1;
    int a = x;
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
