// classes: 5
// The read comes before the store; or between it and a successful compare-and-swap, or after that; or the compare-and-swap fails
// without reason, either after the read or, in any order with it, after the store. The reader is explored first.
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x = 1;
static void *t1(void *arg) {
    int expected = 2;
    x = 2;
    atomic_compare_exchange_weak(&x, &expected, 3);
    return arg;
}
static void *t0(void *arg) {
    (void)atomic_load(&x);
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
