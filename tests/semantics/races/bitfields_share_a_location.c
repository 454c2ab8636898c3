//! Adjacent bit-fields are one location: writes to different ones race.
//! expect: no-data-race false
#include <pthread.h>

static struct { unsigned a : 1, b : 1; } s;

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
