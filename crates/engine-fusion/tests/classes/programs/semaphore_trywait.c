// classes: 2
// The try comes before the post or after it.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
static void *t0(void *arg) {
    sem_post(&s);
    return arg;
}
static void *t1(void *arg) {
    sem_trywait(&s);
    return arg;
}
int main(void) {
    pthread_t id[2];
    sem_init(&s, 0, 0);
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    return 0;
}
