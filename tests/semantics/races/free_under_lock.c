//! With a lock and a null test, freeing and reading are ordered.
//! expect: no-data-race true
//! expect: valid-memsafety true
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *p;

static void *child(void *arg) {
    pthread_mutex_lock(&m);
    if (p)
        *p = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    p = malloc(1);
    pthread_create(&t, 0, child, 0);
    pthread_mutex_lock(&m);
    free(p);
    p = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
