//! Whose address is the larger number depends on who allocates first, also if it is read as a number out of a union.
//! expect: unreach-call false
//! gcc: skip other numbers there
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
union both {
    char *address;
    unsigned long number;
} first, second;
void *makes(void *argument) {
    first.address = malloc(16);
    return 0;
}
void *makes_too(void *argument) {
    second.address = malloc(16);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, makes, 0);
    pthread_create(&u, 0, makes_too, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(first.number < second.number); // violation: unreach-call
    return 0;
}
