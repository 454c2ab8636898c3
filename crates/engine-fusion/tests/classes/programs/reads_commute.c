// classes: 1
// Only reads.
#include <pthread.h>
int x, y, z;
static void *t0(void *arg) {
    int a = x;
    int b = y;
    return arg;
}
static void *t1(void *arg) {
    int a = x;
    int b = y;
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
