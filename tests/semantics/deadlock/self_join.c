//! A thread that joins itself waits for itself.
//! expect: no-deadlock false
//! gcc: skip glibc answers with an error where POSIX leaves it undefined
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), 0); // violation: no-deadlock
    return 0;
}
