// classes: 3
// x is read as 0 (1); as 1, and y is read before (1) or after it is written, and then x is written last (1).
#include <pthread.h>
int x, y;
static void *t0(void *arg) {
    x = 1;
    return arg;
}
static void *t1(void *arg) {
    if (x)
        y = 2;
    return arg;
}
static void *t2(void *arg) {
    if (y)
        x = 2;
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
