// classes: 36
// Given with the issue.
#include <pthread.h>
int x, y, z;
static void *t0(void *arg) {
    x = x + 1;
    return arg;
}
static void *t1(void *arg) {
    x = x + 1;
    return arg;
}
static void *t2(void *arg) {
    x = x + 1;
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
