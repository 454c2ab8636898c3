// classes: 2
// Two orders of the critical sections.
#include <pthread.h>
int x;
pthread_spinlock_t s;
static void *t0(void *arg) {
    pthread_spin_lock(&s);
    x++;
    pthread_spin_unlock(&s);
    return arg;
}
static void *t1(void *arg) {
    pthread_spin_lock(&s);
    x++;
    pthread_spin_unlock(&s);
    return arg;
}
int main(void) {
    pthread_t id[2];
    pthread_spin_init(&s, 0);
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    return 0;
}
