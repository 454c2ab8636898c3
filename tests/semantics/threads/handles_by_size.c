//! Whose handle is the larger number depends on who makes its thread first.
//! expect: unreach-call false
//! gcc: skip other numbers there
#include <assert.h>
#include <pthread.h>
pthread_t first, second;
void *nothing(void *argument) {
    return 0;
}
void *makes(void *argument) {
    pthread_create(&first, 0, nothing, 0);
    return 0;
}
void *makes_too(void *argument) {
    pthread_create(&second, 0, nothing, 0);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, makes, 0);
    pthread_create(&u, 0, makes_too, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(first < second); // violation: unreach-call
    return 0;
}
