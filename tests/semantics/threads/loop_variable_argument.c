//! Every thread gets the address of the same loop variable: a race, and a wrong number.
//! expect: no-data-race false
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static int number[2];

static void *child(void *arg) {
    number[*(int *)arg & 1]++; // violation: no-data-race
    return 0;
}

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) // violation: no-data-race
        pthread_create(&t[i], 0, child, &i);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(number[0] == 1 && number[1] == 1); // violation: unreach-call
    return 0;
}
