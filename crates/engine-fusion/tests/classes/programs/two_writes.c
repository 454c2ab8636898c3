// classes: 2
// Two orders of the two writes.
#include <pthread.h>
int x, y, z;
static void *t0(void *arg) {
    x = 1;
    return arg;
}
static void *t1(void *arg) {
    x = 2;
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
