//! A key can be deleted once.
//! expect: unreach-call true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_key_delete(key) == EINVAL);
    return 0;
}
