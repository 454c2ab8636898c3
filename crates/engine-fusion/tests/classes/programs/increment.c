// classes: 4
// Load and store each: the loads come before both stores (2 orders of the stores), or one increment comes first (2).
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
int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    return 0;
}
