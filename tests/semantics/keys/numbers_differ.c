//! Two keys in use have different numbers.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t first, second;
    pthread_key_create(&first, 0);
    pthread_key_create(&second, 0);
    assert(first == second); // violation: unreach-call
    return 0;
}
