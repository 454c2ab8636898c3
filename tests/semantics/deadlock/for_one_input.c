//! A deadlock that needs a particular input is found for that input.
//! expect: no-deadlock false
//! expect: unreach-call true
//! gcc: skip blocks by design
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    int times = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (times == 1234567)
        pthread_mutex_lock(&m); // violation: no-deadlock
    pthread_mutex_unlock(&m);
    return 0;
}
