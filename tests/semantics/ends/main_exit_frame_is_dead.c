//! pthread_exit in main does not end the process, but main's local variables are gone.
//! expect: valid-memsafety false(valid-deref)
#include <pthread.h>

static void *child(void *arg) {
    int *local = arg;
    *local = 1; // violation: valid-memsafety
    return 0;
}

int main(void) {
    pthread_t a;
    int local = 0;
    pthread_create(&a, 0, child, &local);
    pthread_exit(0);
}
