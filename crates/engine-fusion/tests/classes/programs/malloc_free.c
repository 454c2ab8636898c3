// classes: 4
// Allocation and release are one step, as nobody else knows the object: two orders, and the second may get the first's address or not.
#include <pthread.h>
#include <stdlib.h>

static void *t0(void *arg) {
    int *p = malloc(4);
    free(p);
    return arg;
}
static void *t1(void *arg) {
    int *p = malloc(4);
    free(p);
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
