// classes: 2
// Neither reader gives the lock back: the writer comes before both, or never. It races with the two of them together, not with the later one.
#include <pthread.h>
pthread_rwlock_t rw;
void *thread0(void *argument) { pthread_rwlock_wrlock(&rw); return 0; }
void *thread1(void *argument) { pthread_rwlock_rdlock(&rw); return 0; }
int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    pthread_rwlock_rdlock(&rw);
    pthread_join(t0, 0);
    return 0;
}
