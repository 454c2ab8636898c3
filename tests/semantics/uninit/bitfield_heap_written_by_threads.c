//! Two threads write one bit-field each, under a lock; behind their ends both are written.
//! expect: no-uninit true
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct bits {
    unsigned a : 1, b : 1;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writes_a(void *argument) {
    struct bits *s = argument;
    pthread_mutex_lock(&lock);
    s->a = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    struct bits *s = malloc(sizeof *s);
    pthread_t thread;
    pthread_create(&thread, 0, writes_a, s);
    pthread_mutex_lock(&lock);
    s->b = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    if (s->a)
        assert(!s->b);
    free(s);
    return 0;
}
