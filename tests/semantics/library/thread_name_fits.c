//! The name of a thread has up to 15 characters.
//! expect: unreach-call true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    assert(pthread_setname_np(pthread_self(), "123456789012345") == 0);
    assert(pthread_setname_np(pthread_self(), "1234567890123456") == ERANGE);
    return 0;
}
