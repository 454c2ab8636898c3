// classes: 2
// The index is read before or after it is set; the array is written once.
#include <pthread.h>
int i, a[2];
static void *t0(void *arg) {
    i = 1;
    return arg;
}
static void *t1(void *arg) {
    a[i] = 1;
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
