// classes: 4
// Counted by enumeration: who runs the function, and what the other sees of it on its way.
#include <pthread.h>
int x;
pthread_once_t o = PTHREAD_ONCE_INIT;
static void set(void) { x = 1; }
static void *t0(void *arg) {
    pthread_once(&o, set);
    int a = x;
    return arg;
}
static void *t1(void *arg) {
    pthread_once(&o, set);
    int a = x;
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
