// classes: 5
// One wins and the other fails for good (2); one fails by itself before the other wins (2); both fail by themselves (1).
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *t0(void *arg) {
    int e = 0;
    atomic_compare_exchange_weak(&x, &e, 1);
    return arg;
}
static void *t1(void *arg) {
    int e = 0;
    atomic_compare_exchange_weak(&x, &e, 1);
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
