//! Neighbouring array elements do not overlap, not even bytes in one word.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static char a[2];

static void *child(void *arg) {
    a[0] = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    a[1] = 1;
    pthread_join(t, 0);
    assert(a[0] == 1 && a[1] == 1);
    return 0;
}
