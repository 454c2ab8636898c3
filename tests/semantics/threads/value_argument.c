//! The number itself passed as a pointer reaches each thread unchanged.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int number[2];

static void *child(void *arg) {
    number[(intptr_t)arg]++;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], 0, child, (void *)i);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(number[0] == 1 && number[1] == 1);
    return 0;
}
