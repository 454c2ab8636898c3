//! The branch that the first execution does not take writes through a pointer, in a function it calls.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
static void poke(int *where) {
    *where = 5;
}
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    if (!flag)
        poke(&x);
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
