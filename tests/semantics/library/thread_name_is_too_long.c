//! A longer name is refused.
//! expect: unreach-call false
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int main(void) {
    int result = pthread_setname_np(pthread_self(), "a name of many words");
    assert(result == 0); // violation: unreach-call
    return 0;
}
