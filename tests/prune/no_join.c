//! The branch that the first execution does not take does not wait for a thread.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
static void *third(void *arg) {
    x = 1;
    return arg;
}
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, third, 0);
    if (flag)
        pthread_join(t, 0);
    assert(x == 1);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
