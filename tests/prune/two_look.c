//! Two threads see different values of one branch that the first execution does not take.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
static void *first(void *arg) {
    flag = 1;
    int one = x;
    int two = x;
    assert(one == 0 || one == two || two != 2);
    return arg;
}
static void *second(void *arg) {
    if (!flag) {
        x = 1;
        x = 2;
    }
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
