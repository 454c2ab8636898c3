// A lock that is taken twice by its holder: the second time is not blocked where the first was, and a trylock may come after all of it.
#include <pthread.h>
void __VERIFIER_assert(int);
pthread_mutex_t lock;
pthread_mutexattr_t recursive;
int x, seen;
void *tries(void *argument) {
    if (pthread_mutex_trylock(&lock) == 0) {
        seen = x;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
void *twice(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, 1);
    pthread_mutex_init(&lock, &recursive);
    pthread_create(&t, 0, tries, 0);
    pthread_create(&u, 0, twice, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    __VERIFIER_assert(!seen);
    return 0;
}
