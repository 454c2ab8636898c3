//! A thread that outlives the function which started it may find its structure parameter gone.
//! expect: valid-memsafety false(valid-deref)
#include <pthread.h>

struct job {
    int number;
};

static pthread_t worker;

static void *work(void *argument) {
    ((struct job *)argument)->number = 2; // violation: valid-memsafety
    return 0;
}

static void start(struct job job) { pthread_create(&worker, 0, work, &job); }

int main(void) {
    struct job mine = {1};
    start(mine);
    pthread_join(worker, 0);
    return 0;
}
