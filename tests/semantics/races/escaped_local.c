//! A local whose address is given away is shared.
//! expect: no-data-race false
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static void *child(void *arg) {
    *(int *)arg = 1; // violation: no-data-race
    return 0;
}

int main(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, 0, child, &local);
    assert(local == 0); // violation: no-data-race, unreach-call
    pthread_join(t, 0);
    return 0;
}
