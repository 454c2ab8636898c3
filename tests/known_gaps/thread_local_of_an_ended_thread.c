#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static __thread int tl;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_uintptr_t owner;
int g;
void *w(void *a) {
    uintptr_t id = (uintptr_t)&tl;
    if (owner == id) { g++; return 0; }
    pthread_mutex_lock(&m);
    owner = id;
    g++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, w, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m);
    g++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
