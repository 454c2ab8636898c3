//! A local of a function that joins before it returns is safe to share.
//! expect: valid-memsafety true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static void *child(void *arg) {
    *(int *)arg = 1;
    return 0;
}

static void run(void) {
    pthread_t a;
    int local = 0;
    pthread_create(&a, 0, child, &local);
    pthread_join(a, 0);
    assert(local == 1);
}

int main(void) {
    run();
    return 0;
}
