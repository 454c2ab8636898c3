//! The number of a deleted key is given out again.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t first, second;
    pthread_key_create(&first, 0);
    assert(pthread_key_delete(first) == 0);
    pthread_key_create(&second, 0);
    assert(first == second);
    return 0;
}
