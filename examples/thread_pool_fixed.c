//! A thread pool that joins its worker before it frees what the worker uses.
//!
//! expect: valid-memsafety true
//! expect: no-data-race true
//! expect: no-deadlock true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    int jobs, done, stopping;
    pthread_t worker;
};

static void *worker(void *arg) {
    struct pool *pool = arg;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->jobs && !pool->stopping)
            pthread_cond_wait(&pool->work, &pool->lock);
        if (!pool->jobs)
            break;
        pool->jobs--;
        pool->done++;
    }
    pthread_mutex_unlock(&pool->lock);
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
    pthread_join(pool->worker, 0);
    assert(pool->done == 1);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

int main(void) {
    struct pool *pool = pool_create();
    pool_submit(pool);
    pool_destroy(pool);
    return 0;
}
