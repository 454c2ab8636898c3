//! A branch that the first execution does not take changes only a variable of the thread, which matters later.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    int add = 0;
    if (!flag)
        add = 4;
    x = x + add;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 0);
    return 0;
}
