// A thread joins itself until somebody detaches it: a deadlock that does not last.
#include <pthread.h>
int x = 2;
int y = 1;
pthread_t t0;
pthread_t t1;
pthread_t t2;
void *thread0(void *argument) {
}
void *thread1(void *argument) {
    int *pa = argument;
    if (((*pa) != y)) pthread_join(t1, 0);
}
void *thread2(void *argument) {
}
int main(void) {
    int own = 0;
    pthread_create(&t0, 0, thread0, (void *)0L);
    pthread_create(&t1, 0, thread1, &x);
    pthread_create(&t2, 0, thread2, 0);
    pthread_detach(t1);
    pthread_join(t2, 0);
    if (y != 1) pthread_join(t0, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
