//! Who sees that all have arrived sees all they did before: six threads, a barrier of a counter and a condition variable.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

enum { THREADS = 6 };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
_Atomic int done;
int arrived;

void *work(void *argument) {
    done += 3;
    pthread_mutex_lock(&lock);
    arrived++;
    if (arrived == THREADS)
        pthread_cond_broadcast(&all_here);
    while (arrived < THREADS)
        pthread_cond_wait(&all_here, &lock);
    pthread_mutex_unlock(&lock);
    assert(done == 3 * THREADS);
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
