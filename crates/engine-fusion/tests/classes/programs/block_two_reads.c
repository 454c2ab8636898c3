// classes: 8
// A chain of three conflicts: x is read and written, x is written and read in the block, z is read in the block and written.
#include <pthread.h>
int x, y, z, t;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static void *t0(void *arg) {
    x = 1;
    return arg;
}
static void *t1(void *arg) {
    t = 1;
    __VERIFIER_atomic_begin();
    int a = x;
    int b = z;
    __VERIFIER_atomic_end();
    (void)(a + b);
    return arg;
}
static void *t2(void *arg) {
    z = 1;
    return arg;
}
static void *t3(void *arg) {
    (void)*(volatile int *)&x;
    return arg;
}
int main(void) {
    pthread_t id[4];
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_create(&id[2], 0, t2, 0);
    pthread_create(&id[3], 0, t3, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    pthread_join(id[2], 0);
    pthread_join(id[3], 0);
    return 0;
}
