//! Memory that held a number becomes a mutex: what stood there before is no lock.
//! expect: valid-sync true
//! expect: no-deadlock true
#include <pthread.h>
#include <string.h>

static union {
    int number[sizeof(pthread_mutex_t) / sizeof(int)];
    pthread_mutex_t lock;
} room;

int main(void) {
    for (unsigned i = 0; i < sizeof room.number / sizeof *room.number; i++)
        room.number[i] = 1;
    pthread_mutex_init(&room.lock, 0);
    pthread_mutex_lock(&room.lock);
    pthread_mutex_unlock(&room.lock);
    return pthread_mutex_destroy(&room.lock);
}
