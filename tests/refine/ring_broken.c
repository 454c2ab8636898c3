//! A ring of eight places that is written and read without end: the place goes one too far.
//! expect: valid-memsafety false
//! expect: no-data-race true
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned at;
int ring[8];

void *writer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        at = at + 1;
        if (at > 8)
            at = 0;
        ring[at] = 1;
        pthread_mutex_unlock(&lock);
    }
}

void *reader(void *unused) {
    int seen = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        seen = ring[at];
        pthread_mutex_unlock(&lock);
        if (seen < 0)
            return 0;
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    return 0;
}
