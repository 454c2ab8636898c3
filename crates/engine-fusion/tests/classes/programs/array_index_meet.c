// classes: 3
// Index 0 meets nobody (1); index 1 is written before or after it is read (2).
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
static void *t2(void *arg) {
    int v = a[1];
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
