/* SynchBench(2): 2 threads use a synchronised method and a synchronised block 2 times each,
   meet at a barrier, and look at what came of it. */
#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define ROUNDS 2

pthread_mutex_t method_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t object_lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int method_count;
int object_count;

pthread_mutex_t barrier_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t barrier_open = PTHREAD_COND_INITIALIZER;
int arrived;

static void method(void)
{
    pthread_mutex_lock(&method_lock);
    method_count = method_count + 1;
    pthread_mutex_unlock(&method_lock);
}

static void barrier(void)
{
    pthread_mutex_lock(&barrier_lock);
    arrived = arrived + 1;
    if (arrived == THREADS)
        pthread_cond_broadcast(&barrier_open);
    while (arrived < THREADS)
        pthread_cond_wait(&barrier_open, &barrier_lock);
    pthread_mutex_unlock(&barrier_lock);
}

static void *worker(void *argument)
{
    pthread_mutex_t *object = &object_lock[(long)argument];
    for (int i = 0; i < ROUNDS; i++)
        method();
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(object);
        object_count = object_count + 1;
        pthread_mutex_unlock(object);
    }
    barrier();
    assert(method_count == THREADS * ROUNDS);
    assert(object_count == THREADS * ROUNDS);
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    pthread_create(&thread[0], 0, worker, (void *)0L);
    pthread_create(&thread[1], 0, worker, (void *)0L);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    return 0;
}
