#include <pthread.h>
#include <semaphore.h>
sem_t s;
int g;
void *w(void *a) { g = 1; sem_wait(&s); return 0; }
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, w, 0);
    if (sem_trywait(&s) == -1) g++;
    sem_post(&s);
    pthread_join(t, 0);
    return 0;
}
