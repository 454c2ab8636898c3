//! A lock that another thread overwrites without order: the unlock may find it free.
//! expect: valid-sync false
//! expect: unreach-call false
#include <pthread.h>
void __VERIFIER_assert(int);

pthread_mutex_t m;
void *other(void *argument) { *(int *)&m = 0; return argument; }
void *child(void *argument) {
    pthread_mutex_lock(&m);
    __VERIFIER_assert(pthread_mutex_unlock(&m) == 0);
    return argument;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, other, 0);
    pthread_create(&b, 0, child, 0);
    return 0;
}
