//! Adjacent bit-fields are one location even where each fills a byte of its own.
//! expect: no-data-race false
#include <pthread.h>

static struct { unsigned a : 8, b : 8; } s;

static void *child(void *arg) {
    s.a = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    s.b = 1; // violation: no-data-race
    pthread_join(t, 0);
    return 0;
}
