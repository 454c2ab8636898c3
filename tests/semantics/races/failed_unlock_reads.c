//! An unlock that is refused writes nothing: reading the mutex beside it is no race.
//! expect: no-data-race true
//! expect: valid-sync true
//! gcc: skip sanitizers see a mutex as a whole
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int seen;

static void *child(void *arg) {
    (void)arg;
    seen = *(int *)&m != 0;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
