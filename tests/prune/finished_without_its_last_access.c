//! A joined thread has left out its last access: that access is nowhere, and must not be said to come after the join. Random program 143242.
//! expect: no-data-race false
#include <pthread.h>
int x = 2;
int y = 1;
pthread_spinlock_t sl;
static __thread int tl = 1;
int *p = &x;
void *thread0(void *argument) {
    int n = (int)(long)argument;
    if (pthread_spin_trylock(&sl) == 0) {
        pthread_spin_lock(&sl);
        tl = n;
        y |= ((unsigned char)((-(1))));
        pthread_spin_unlock(&sl);
    pthread_spin_unlock(&sl); }
    x = (((-1) <= 0) * n);
    p = x == 2 ? 0 : &y;
}
void *thread1(void *argument) {
    tl |= ((y || 3) == (x + (*p)));
    return 0;
}
int main(void) {
    int own = 0;
    pthread_t t0;
    pthread_create(&t0, 0, thread0, (void *)1L);
    pthread_t t1;
    pthread_create(&t1, 0, thread1, &own);
    pthread_join(t1, 0);
    if (pthread_spin_trylock(&sl) == 0) {
        p = &tl;
    pthread_spin_unlock(&sl); }
    return 0;
}
