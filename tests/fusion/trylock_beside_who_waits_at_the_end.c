// The lock is kept by whoever tries it first, so the other thread waits for it when the process ends. That thread could have taken the lock
// first: the search for reads-from classes did not see it, because it looked for waiting threads behind the end (random program 430003).
#include <pthread.h>
int y = 0;
pthread_mutex_t me;
void *thread0(void *argument) {
    y = pthread_mutex_trylock(&me);
    return 0;
}
void *thread1(void *argument) {
    if (pthread_mutex_lock(&me) == 0) {
        y++;
        pthread_mutex_unlock(&me);
    }
    return 0;
}
int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    return 0;
}
