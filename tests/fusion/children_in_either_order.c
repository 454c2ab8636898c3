// Two threads make threads, and which of them comes first decides what is seen: names of threads have to mean the same in every execution.
#include <pthread.h>
void __VERIFIER_assert(int);
int x, y, seen;
void *worker(void *argument) {
    y = y + 1;
    return 0;
}
void *thread0(void *argument) {
    pthread_t t;
    x = 1;
    seen = x;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
void *thread1(void *argument) {
    pthread_t t;
    x = 2;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    __VERIFIER_assert(seen != 2);
    return 0;
}
int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
