// classes: 2
// One permit, two who want it: the other is blocked for good.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
static void *t0(void *arg) {
    sem_post(&s);
    return arg;
}
static void *t1(void *arg) {
    sem_wait(&s);
    return arg;
}
static void *t2(void *arg) {
    sem_wait(&s);
    return arg;
}
int main(void) {
    pthread_t id[3];
    sem_init(&s, 0, 0);
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_create(&id[2], 0, t2, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    pthread_join(id[2], 0);
    return 0;
}
