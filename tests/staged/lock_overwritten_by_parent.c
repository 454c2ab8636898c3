//! The same by the parent, in its first step after the child was started.
//! expect: unreach-call false
#include <pthread.h>
void __VERIFIER_assert(int);

pthread_mutex_t m;
pthread_t t;
void *child(void *argument) {
    pthread_mutex_lock(&m);
    __VERIFIER_assert(pthread_mutex_unlock(&m) == 0);
    return argument;
}
int main(void) {
    pthread_create(&t, 0, child, 0);
    *(int *)&m = 0;
    return 0;
}
