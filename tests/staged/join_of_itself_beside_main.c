//! A thread that waits for its own end is stuck, whatever ends the process afterwards.
//! expect: no-deadlock false
#include <pthread.h>
int y = 0;
pthread_t t0;
pthread_t t1;
void *thread0(void *argument) {
    if (y <= y) pthread_join(t1, 0);
}
void *thread1(void *argument) {
    pthread_join(t1, 0);
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0L);
}
