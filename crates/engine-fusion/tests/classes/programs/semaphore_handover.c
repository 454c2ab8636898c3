// classes: 1
// The wait follows the post.
#include <pthread.h>
#include <semaphore.h>
int x;
sem_t s;
static void *t0(void *arg) {
    x = 1;
    sem_post(&s);
    return arg;
}
static void *t1(void *arg) {
    sem_wait(&s);
    int a = x;
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
