// classes: 3
// The block looks at y only if it comes before x = 0: then before or after y = 1.
#include <pthread.h>
int x = 1, y, z, t;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static void *t0(void *arg) {
    x = 0;
    return arg;
}
static void *t1(void *arg) {
    t = 1;
    __VERIFIER_atomic_begin();
    if (x)
        z = y;
    __VERIFIER_atomic_end();
    return arg;
}
static void *t2(void *arg) {
    y = 1;
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
