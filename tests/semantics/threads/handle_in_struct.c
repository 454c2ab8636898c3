//! A handle beside numbers in an array of structures is a name; the numbers are numbers.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static struct worker { pthread_t thread; int id; } workers[2];

static void *doubles(void *arg) {
    struct worker *self = arg;
    self->id *= 2;
    return 0;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        workers[i].id = i + 1;
        pthread_create(&workers[i].thread, 0, doubles, &workers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i].thread, 0);
    assert(workers[0].id == 2 && workers[1].id == 4);
    return 0;
}
