// classes: 1
// They strictly take turns.
#include <pthread.h>
#include <semaphore.h>
int slot;
sem_t room, full;
static void *t0(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&room);
        slot = i;
        sem_post(&full);
    }
    return arg;
}
static void *t1(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        int v = slot;
        sem_post(&room);
    }
    return arg;
}
int main(void) {
    pthread_t id[2];
    sem_init(&room, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    return 0;
}
