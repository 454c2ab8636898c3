//! What is written on a branch that the first execution does not take is overwritten at once; but somebody can look in between.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x, seen;
static void *first(void *arg) {
    flag = 1;
    seen = x;
    return arg;
}
static void *second(void *arg) {
    if (!flag) {
        x = 3;
        x = 0;
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen == 0);
    return 0;
}
