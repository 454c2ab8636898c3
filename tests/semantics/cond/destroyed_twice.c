//! Destroying a condition variable a second time is a misuse.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_destroy(&changed);
    pthread_cond_destroy(&changed); // violation: valid-sync
    return 0;
}
