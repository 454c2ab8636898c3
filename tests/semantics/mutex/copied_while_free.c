//! A mutex that is free is copied, and the copy is used: each has been locked where it is unlocked.
//! expect: valid-sync true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static struct counter first = {PTHREAD_MUTEX_INITIALIZER, 1};

int main(void) {
    struct counter second = first;
    pthread_mutex_lock(&second.lock);
    if (pthread_mutex_trylock(&first.lock) == 0) {
        second.value += first.value;
        pthread_mutex_unlock(&first.lock);
    }
    pthread_mutex_unlock(&second.lock);
    assert(second.value == 2);
    return 0;
}
