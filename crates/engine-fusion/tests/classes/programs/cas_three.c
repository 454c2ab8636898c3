// classes: 3
// Who wins; the two losers read in any order.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *t0(void *arg) {
    int e = 0;
    atomic_compare_exchange_strong(&x, &e, 1);
    return arg;
}
static void *t1(void *arg) {
    int e = 0;
    atomic_compare_exchange_strong(&x, &e, 1);
    return arg;
}
static void *t2(void *arg) {
    int e = 0;
    atomic_compare_exchange_strong(&x, &e, 1);
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
