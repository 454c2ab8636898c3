// classes: 14
// Counted by enumeration.
#include <pthread.h>
int f0, f1, turn, x;
static void *t0(void *arg) {
    f0 = 1;
    turn = 1;
    if (!(f1 && turn == 1))
        x++;
    f0 = 0;
    return arg;
}
static void *t1(void *arg) {
    f1 = 1;
    turn = 0;
    if (!(f0 && turn == 0))
        x++;
    f1 = 0;
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
