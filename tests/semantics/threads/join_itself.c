//! A thread that joins itself is told so at once, and it is a misuse.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: valid-sync false
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    int code = pthread_join(pthread_self(), 0); // violation: valid-sync
    assert(code == EDEADLK);
    return 0;
}
