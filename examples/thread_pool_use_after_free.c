//! A thread pool that is freed under its worker.
//!
//! `pool_destroy` tells the worker to stop and frees the pool, but does not wait for the worker, which
//! still has to take or release the mutex inside the pool: a use after free, on whichever line the
//! worker touches the pool next. thread_pool_fixed.c is the correct version.
//!
//! expect: valid-memsafety false(valid-deref)
//! expect: no-data-race false
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    int jobs, stopping;
    pthread_t worker;
};

static void *worker(void *arg) {
    struct pool *pool = arg;
    pthread_mutex_lock(&pool->lock); // violation: valid-memsafety, no-data-race
    for (;;) {
        while (!pool->jobs && !pool->stopping) // violation: valid-memsafety, no-data-race
            pthread_cond_wait(&pool->work, &pool->lock); // violation: valid-memsafety, no-data-race
        if (!pool->jobs) // violation: valid-memsafety, no-data-race
            break;
        pool->jobs--; // violation: valid-memsafety, no-data-race
    }
    pthread_mutex_unlock(&pool->lock); // violation: valid-memsafety, no-data-race
    return 0;
}

static struct pool *pool_create(void) {
    struct pool *pool = calloc(1, sizeof *pool);
    pthread_mutex_init(&pool->lock, 0);
    pthread_cond_init(&pool->work, 0);
    pthread_create(&pool->worker, 0, worker, pool);
    return pool;
}

static void pool_submit(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->jobs++;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_destroy(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->stopping = 1;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    /* the bug: the worker has not been joined */
    free(pool); // violation: no-data-race
}

int main(void) {
    struct pool *pool = pool_create();
    pool_submit(pool);
    pool_destroy(pool);
    return 0;
}
