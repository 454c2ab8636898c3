// classes: 29
// Counted by enumeration. A thread that is made after another was joined may get its handle, so making one and joining another do not
// change places, not even if the other was not yet made.
#include <pthread.h>

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
    (void)*(volatile int *)&seen;
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
