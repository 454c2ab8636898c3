// classes: 5
// Both allocate before either releases; or one allocates behind the other's release, and may get its address or not: 1 + 2 * 2.
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
