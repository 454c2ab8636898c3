//! A library copy of two members is not one step, though both fit into a word.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    int first, second;
};

static struct pair shared;

static void *writer(void *arg) {
    struct pair both = {1, 1};
    memcpy(&shared, &both, sizeof shared); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    int first = shared.first;   // violation: no-data-race
    int second = shared.second; // violation: no-data-race
    assert(first <= second);    // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
