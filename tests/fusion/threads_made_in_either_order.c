// Two threads make threads concurrently, so the interpreter numbers them in either order.
#include <pthread.h>
int x = 1;
int y = 0;
void *worker(void *argument) {
    y = 0;
    return 0;
}
void *thread0(void *argument) {
    if (x != 2) {
        pthread_t t1;
        pthread_create(&t1, 0, worker, (void *)1L);
        y++;
        pthread_join(t1, 0);
    }
    return 0;
}
void *thread1(void *argument) {
    __VERIFIER_atomic_begin();
    x = 0;
    __VERIFIER_assume(y == 2);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, thread0, 0);
    x = 1;
    pthread_t t1;
    pthread_create(&t1, 0, thread1, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
