//! expect: false(no-deadlock)
//! The thread pool, but stopping wakes only one of the workers.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 2
#define TASKS 3

struct future {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int done;
    long value;
};

struct task {
    long (*run)(long);
    long argument;
    struct future *result;
    struct task *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct task *head;
    struct task **tail;
    int stopping;
    int nthreads;
    pthread_t *threads;
};

static void *xmalloc(size_t size)
{
    void *p = malloc(size);
    if (p == NULL)
        exit(EXIT_FAILURE);
    return p;
}

static struct future *future_new(void)
{
    struct future *f = xmalloc(sizeof *f);
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->ready, NULL);
    f->done = 0;
    return f;
}

static void future_set(struct future *f, long value)
{
    pthread_mutex_lock(&f->lock);
    f->value = value;
    f->done = 1;
    pthread_cond_signal(&f->ready);
    pthread_mutex_unlock(&f->lock);
}

/* Waits for the result and releases the future. */
static long future_get(struct future *f)
{
    pthread_mutex_lock(&f->lock);
    while (!f->done)
        pthread_cond_wait(&f->ready, &f->lock);
    long value = f->value;
    pthread_mutex_unlock(&f->lock);
    pthread_cond_destroy(&f->ready);
    pthread_mutex_destroy(&f->lock);
    free(f);
    return value;
}

static void *worker(void *arg)
{
    struct pool *pool = arg;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (pool->head == NULL && !pool->stopping)
            pthread_cond_wait(&pool->work, &pool->lock);
        struct task *t = pool->head;
        if (t == NULL) {
            pthread_mutex_unlock(&pool->lock);
            return NULL;
        }
        pool->head = t->next;
        if (pool->head == NULL)
            pool->tail = &pool->head;
        pthread_mutex_unlock(&pool->lock);
        future_set(t->result, t->run(t->argument));
        free(t);
    }
}

static struct pool *pool_create(int nthreads)
{
    struct pool *pool = xmalloc(sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pool->head = NULL;
    pool->tail = &pool->head;
    pool->stopping = 0;
    pool->nthreads = nthreads;
    pool->threads = xmalloc(nthreads * sizeof(pthread_t));
    for (int i = 0; i < nthreads; i++)
        if (pthread_create(&pool->threads[i], NULL, worker, pool) != 0)
            exit(EXIT_FAILURE);
    return pool;
}

static struct future *pool_submit(struct pool *pool, long (*run)(long), long argument)
{
    struct task *t = xmalloc(sizeof *t);
    struct future *f = future_new();
    *t = (struct task){ run, argument, f, NULL };
    pthread_mutex_lock(&pool->lock);
    *pool->tail = t;
    pool->tail = &t->next;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    return f;
}

static void pool_destroy(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = 1;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->nthreads; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);
}

static long square(long x) { return x * x; }

int main(void)
{
    struct pool *pool = pool_create(WORKERS);
    struct future *results[TASKS];
    long sum = 0;
    for (int i = 0; i < TASKS; i++)
        results[i] = pool_submit(pool, square, i + 1);
    for (int i = 0; i < TASKS; i++)
        sum += future_get(results[i]);
    pool_destroy(pool);
    printf("sum of squares: %ld\n", sum);
    assert(sum == 14);
    return 0;
}
