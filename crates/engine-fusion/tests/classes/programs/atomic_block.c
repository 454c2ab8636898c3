// classes: 2
// Two orders of the blocks, each one step.
#include <pthread.h>
int x, y;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static void *t0(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    y++;
    __VERIFIER_atomic_end();
    return arg;
}
static void *t1(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    y++;
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
