//! A thread that is joined in time finds the structure parameter of the function that started it.
//! expect: valid-memsafety true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

struct job {
    int number;
};

static void *work(void *argument) {
    ((struct job *)argument)->number++;
    return 0;
}

static int run(struct job job) {
    pthread_t worker;
    pthread_create(&worker, 0, work, &job);
    pthread_join(worker, 0);
    return job.number;
}

int main(void) {
    struct job mine = {1};
    assert(run(mine) == 2 && mine.number == 1);
    return 0;
}
