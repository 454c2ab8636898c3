//! An unlock that fails writes nothing: reading the mutex beside it is no race.
//! expect: no-data-race true
//! expect: valid-sync false
//! gcc: skip sanitizers see a mutex as a whole
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int seen;

static void *child(void *arg) {
    (void)arg;
    seen = *(int *)&m != 0;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_mutex_unlock(&m); // violation: valid-sync
    pthread_join(t, NULL);
    return 0;
}
