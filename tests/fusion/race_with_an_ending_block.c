// A race with a block in which the process ends, whichever comes first.
#include <pthread.h>
int y = 0;
void *thread0(void *argument) {
    y = 1;
}
void *thread1(void *argument) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assert(y <= 0);
    __VERIFIER_atomic_end();
}
int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, thread0, (void *)2L);
    pthread_t t1;
    pthread_create(&t1, 0, thread1, 0);
}
