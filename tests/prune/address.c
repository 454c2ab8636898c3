//! Where is written depends on a value, and no branch says so.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x[2];
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    int *table[2] = {&x[0], &x[1]};
    *table[flag] = 7;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x[0] == 0);
    return 0;
}
