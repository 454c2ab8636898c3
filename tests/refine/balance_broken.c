//! The same, but who finds nobody inside is counted as one that leaves.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned in, out, inside;

void *enter(void *argument) {
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        in++;
        inside++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

void *leave(void *argument) {
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        out++;
        if (inside > 0) {

            inside--;
        }
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, enter, 0);
    pthread_create(&u, 0, leave, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(inside == in - out);
    return 0;
}
