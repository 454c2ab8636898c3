//! Who signals the condition that nobody sleeps on, of two in one object, wakes nobody.
//! expect: no-deadlock false
//! gcc: skip blocks by design
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct slot {
    pthread_mutex_t m;
    pthread_cond_t filled, emptied;
    int value;
};

static void *gives(void *arg) {
    struct slot *s = arg;
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&s->m);
        while (s->value)
            pthread_cond_wait(&s->emptied, &s->m); // violation: no-deadlock
        s->value = i;
        pthread_mutex_unlock(&s->m);
        pthread_cond_signal(&s->filled);
    }
    return 0;
}

static void *takes(void *arg) {
    struct slot *s = arg;
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&s->m);
        while (!s->value)
            pthread_cond_wait(&s->filled, &s->m); // violation: no-deadlock
        assert(s->value == i);
        s->value = 0;
        pthread_mutex_unlock(&s->m);
        pthread_cond_signal(&s->filled);
    }
    return 0;
}

int main(void) {
    struct slot *s = malloc(sizeof *s);
    pthread_t g, t;
    pthread_mutex_init(&s->m, 0);
    pthread_cond_init(&s->filled, 0);
    pthread_cond_init(&s->emptied, 0);
    s->value = 0;
    pthread_create(&g, 0, gives, s);
    pthread_create(&t, 0, takes, s);
    pthread_join(g, 0); // violation: no-deadlock
    pthread_join(t, 0); // violation: no-deadlock
    free(s);
    return 0;
}
