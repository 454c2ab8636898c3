//! Whoever waits in a loop with a variable of its own in every iteration comes back to a state that is known.
//! expect: all true
//! steps: 120000
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int count;

static void look(unsigned *now) { *now = atomic_load(&serving); }

static void *worker(void *argument) {
    for (int i = 0; i < 2; i++) {
        unsigned ticket = atomic_fetch_add(&next, 1);
        for (;;) {
            unsigned now;
            look(&now);
            if (now == ticket)
                break;
        }
        count++;
        atomic_store(&serving, ticket + 1);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(count == 4);
    return 0;
}
