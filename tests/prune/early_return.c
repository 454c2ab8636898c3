//! The branch that the first execution does not take leaves the function.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
static int work(void) {
    if (!flag)
        return 1;
    x = 1;
    return 0;
}
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    if (work())
        x = 2;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 2);
    return 0;
}
