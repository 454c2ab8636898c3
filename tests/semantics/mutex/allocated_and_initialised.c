//! A mutex in allocated memory is initialised before another thread knows it.
//! expect: valid-sync true
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t m;
    int v;
};

static void *uses(void *a) {
    struct box *b = a;
    pthread_mutex_lock(&b->m);
    b->v++;
    pthread_mutex_unlock(&b->m);
    return 0;
}

int main(void) {
    struct box *b = malloc(sizeof *b);
    if (!b)
        return 0;
    b->v = 0;
    pthread_mutex_init(&b->m, 0);
    pthread_t t;
    pthread_create(&t, 0, uses, b);
    pthread_join(t, 0);
    free(b);
    return 0;
}
