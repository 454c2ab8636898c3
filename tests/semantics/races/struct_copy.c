//! A structure copy reads every member: it races with a write to one of them.
//! expect: no-data-race false
#include <pthread.h>

struct pair { int a, b; };
static struct pair shared;

static void *child(void *arg) {
    shared.b = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    struct pair copy = shared; // violation: no-data-race
    pthread_join(t, 0);
    return copy.a;
}
