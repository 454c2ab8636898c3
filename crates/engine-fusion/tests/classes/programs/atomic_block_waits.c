// classes: 2
// The block happens between the two writes, or never.
#include <pthread.h>
int x, y;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
static void *t0(void *arg) {
    x = 1;
    x = 2;
    return arg;
}
static void *t1(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x == 1);
    y = 1;
    __VERIFIER_atomic_end();
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
