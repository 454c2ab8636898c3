//! Two threads work on a value without end, and the word that hands it over is given back too early.
//! expect: no-data-race false
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int taken;
unsigned value;

static int take(void) {
    pthread_mutex_lock(&lock);
    int mine = !taken;
    if (mine)
        taken = 1;
    pthread_mutex_unlock(&lock);
    return mine;
}

static void give(void) {
    pthread_mutex_lock(&lock);
    taken = 0;
    pthread_mutex_unlock(&lock);
}

void *worker(void *unused) {
    for (;;)
        if (take()) {
            unsigned seen = value;
            give();
            value = seen * 3 + 1;
        }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    return 0;
}
