//! One counts down once more than the other counts up.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_long sum;

void *up(void *argument) {
    for (unsigned i = 0; i != 40; i++)
        atomic_fetch_add(&sum, 2);
    return argument;
}

void *down(void *argument) {
    int left = 21;
    while (left-- > 0)
        atomic_fetch_sub(&sum, 4);
    return argument;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, up, 0);
    pthread_create(&u, 0, down, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(sum == 0);
    return 0;
}
