//! A thread joins itself in an atomic block that has written before: it never gets in, and that is a deadlock, too.
//! expect: no-deadlock false
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_t self;
int y;

static void *waits(void *arg) {
    __VERIFIER_atomic_begin();
    y++;
    pthread_join(self, 0);
    __VERIFIER_atomic_end();
    return arg;
}

static void *other(void *arg) {
    __VERIFIER_atomic_begin();
    y |= 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&self, 0, waits, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    return 0;
}
