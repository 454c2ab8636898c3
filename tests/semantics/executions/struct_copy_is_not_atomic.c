//! A structure assignment is a sequence of scalar accesses: a reader may see it half done.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };
static struct pair shared;

static void *writer(void *arg) {
    struct pair both = {1, 1};
    shared = both; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    struct pair seen = shared; // violation: no-data-race
    assert(seen.a == seen.b); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
