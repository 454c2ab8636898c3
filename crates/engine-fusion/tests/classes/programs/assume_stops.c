// classes: 3
// x is read as 0 and the thread stops (1); or y is read before or after its write (2).
#include <pthread.h>
int x, y;
void __VERIFIER_assume(int);
static void *t0(void *arg) {
    x = 1;
    y = 1;
    return arg;
}
static void *t1(void *arg) {
    __VERIFIER_assume(x == 1);
    int a = y;
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
