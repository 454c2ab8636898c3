//! A destroyed mutex can be initialised and used again.
//! expect: valid-sync true
//! expect: no-deadlock true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    for (int i = 0; i < 2; i++) {
        assert(pthread_mutex_init(&m, 0) == 0);
        assert(pthread_mutex_lock(&m) == 0);
        assert(pthread_mutex_unlock(&m) == 0);
        assert(pthread_mutex_destroy(&m) == 0);
    }
    return 0;
}
