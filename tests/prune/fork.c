//! The thread that goes wrong is not made in the first execution.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag;
static void *third(void *arg) {
    assert(0);
    return arg;
}
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    pthread_t t;
    if (!flag)
        pthread_create(&t, 0, third, 0);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_exit(0);
    return 0;
}
