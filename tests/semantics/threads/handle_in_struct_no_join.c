//! The same with a read before the join: it races, and may come before the worker is through.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

static struct worker { pthread_t thread; int id; } workers[2];

static void *doubles(void *arg) {
    struct worker *self = arg;
    self->id *= 2; // violation: no-data-race
    return 0;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        workers[i].id = i + 1;
        pthread_create(&workers[i].thread, 0, doubles, &workers[i]);
    }
    pthread_join(workers[0].thread, 0);
    assert(workers[0].id == 2 && workers[1].id == 4); // violation: unreach-call, no-data-race
    pthread_join(workers[1].thread, 0);
    return 0;
}
