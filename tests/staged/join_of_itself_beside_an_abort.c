//! A join of itself is refused at once and does not wait, whatever ends the process afterwards.
//! expect: no-deadlock true
#include <pthread.h>
pthread_rwlock_t rw;
pthread_t t0;
pthread_t t1;
void *thread0(void *argument) {
    __VERIFIER_assert(0);
}
void *thread1(void *argument) {
    pthread_join(t1, 0);
}
int main(void) {
    pthread_rwlock_wrlock(&rw);
    pthread_rwlock_unlock(&rw);
    pthread_create(&t0, 0, thread0, 0L);
    pthread_create(&t1, 0, thread1, 0L);
    pthread_join(t0, 0);
}
