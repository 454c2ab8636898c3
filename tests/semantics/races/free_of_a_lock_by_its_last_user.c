//! Who is last unlocks and frees: the other one has had the lock before, and does not look at it any more.
//! expect: no-data-race true
//! expect: valid-sync true
//! expect: valid-memsafety true
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t lock;
    int users;
};

void *leave(void *argument) {
    struct shared *s = argument;
    pthread_mutex_lock(&s->lock);
    int last = --s->users == 0;
    pthread_mutex_unlock(&s->lock);
    if (last) {
        pthread_mutex_destroy(&s->lock);
        free(s);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    struct shared *s = malloc(sizeof *s);
    pthread_mutex_init(&s->lock, 0);
    s->users = 2;
    pthread_create(&t, 0, leave, s);
    leave(s);
    pthread_join(t, 0);
    return 0;
}
