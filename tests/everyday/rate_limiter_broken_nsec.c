//! expect: false(unreach-call)
//! The token bucket, but tv_nsec of the deadline can be a second or more.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CALLERS 2
#define REFILLS 1
#define TIMEOUT_MS 20

struct limiter {
    pthread_mutex_t lock;
    pthread_cond_t refilled;
    int tokens;
    int burst;
    int granted;
    int refused;
};

static void limiter_init(struct limiter *l, int burst)
{
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->refilled, NULL);
    l->tokens = 1;
    l->burst = burst;
    l->granted = 0;
    l->refused = 0;
}

static void limiter_destroy(struct limiter *l)
{
    pthread_cond_destroy(&l->refilled);
    pthread_mutex_destroy(&l->lock);
}

static struct timespec deadline_in(long ms)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    ts.tv_sec += ms / 1000;
    ts.tv_nsec += (ms % 1000) * 1000000L;
    return ts;
}

static bool limiter_acquire(struct limiter *l, long timeout_ms)
{
    struct timespec deadline = deadline_in(timeout_ms);

    pthread_mutex_lock(&l->lock);
    while (l->tokens == 0) {
        int rc = pthread_cond_timedwait(&l->refilled, &l->lock, &deadline);
        if (rc == ETIMEDOUT) {
            l->refused++;
            pthread_mutex_unlock(&l->lock);
            return false;
        }
        assert(rc == 0);
    }
    l->tokens--;
    l->granted++;
    pthread_mutex_unlock(&l->lock);
    return true;
}

static void limiter_refill(struct limiter *l, int n)
{
    pthread_mutex_lock(&l->lock);
    l->tokens += n;
    if (l->tokens > l->burst)
        l->tokens = l->burst;
    pthread_cond_broadcast(&l->refilled);
    pthread_mutex_unlock(&l->lock);
}

static void *caller_main(void *arg)
{
    struct limiter *l = arg;

    if (limiter_acquire(l, TIMEOUT_MS))
        printf("request served\n");
    else
        printf("request refused\n");
    return NULL;
}

static void *refill_main(void *arg)
{
    struct limiter *l = arg;
    struct timespec pause = { 0, 5000000L };

    for (int i = 0; i < REFILLS; i++) {
        nanosleep(&pause, NULL);
        limiter_refill(l, 1);
    }
    return NULL;
}

int main(void)
{
    struct limiter *l = malloc(sizeof *l);
    pthread_t callers[CALLERS], refill;

    if (l == NULL)
        return EXIT_FAILURE;
    limiter_init(l, 2);
    if (pthread_create(&refill, NULL, refill_main, l) != 0)
        abort();
    for (int i = 0; i < CALLERS; i++)
        if (pthread_create(&callers[i], NULL, caller_main, l) != 0)
            abort();
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    pthread_join(refill, NULL);

    assert(l->granted + l->refused == CALLERS);
    assert(l->granted >= 1 && l->granted <= 1 + REFILLS);
    assert(l->tokens >= 0 && l->tokens <= l->burst);
    limiter_destroy(l);
    free(l);
    return 0;
}
