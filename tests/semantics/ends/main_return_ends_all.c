//! Returning from main ends the process: no thread uses main's local after it.
//! expect: valid-memsafety true
//! gcc: skip a native process takes a moment to end, and threads run on meanwhile
#include <pthread.h>

static void *child(void *arg) {
    int *local = arg;
    *local = 1;
    return 0;
}

int main(void) {
    pthread_t a;
    int local = 0;
    pthread_create(&a, 0, child, &local);
    return 0;
}
