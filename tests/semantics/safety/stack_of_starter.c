//! A thread that outlives the function that started it uses that function's dead local.
//! expect: valid-memsafety false(valid-deref)
#include <pthread.h>

static pthread_t a;

static void *child(void *arg) {
    *(int *)arg = 1; // violation: valid-memsafety
    return 0;
}

static void start(void) {
    int local = 0;
    pthread_create(&a, 0, child, &local);
}

int main(void) {
    start();
    pthread_join(a, 0);
    return 0;
}
