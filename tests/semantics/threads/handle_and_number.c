//! The handle of a thread is a number that may come back, and any other: what is compared with a number is not told by its name.
//! expect: unreach-call false
//! gcc: skip other numbers there
#include <assert.h>
#include <pthread.h>

void *nothing(void *argument) {
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, nothing, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, nothing, 0);
    pthread_join(second, 0);
    assert(second != 2); // violation: unreach-call
    return 0;
}
