//! A handle of a thread that was made on one way only may be nobody's.
//! expect: valid-sync false
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_t alone;

static void *works(void *arg) { return arg; }

int main(void) {
    if (__VERIFIER_nondet_int())
        pthread_create(&alone, 0, works, 0);
    pthread_detach(alone); // violation: valid-sync
    return 0;
}
