//! A library write of two members is not one step, though both fit into a word.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int shared[2] = {1, 1};

static void *reader(void *arg) {
    int first = shared[0];  // violation: no-data-race
    int second = shared[1]; // violation: no-data-race
    assert(first >= second); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    memset(shared, 0, sizeof shared); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
