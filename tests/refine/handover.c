//! Two threads work on a value without end, and hand it over by a word that is locked; the value itself is not.
//! expect: no-data-race true
//! expect: no-deadlock true
//! expect: valid-memsafety true
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
            value = value * 3 + 1;
            give();
        }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    return 0;
}
