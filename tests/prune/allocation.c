//! The branch that the first execution does not take puts other memory where a pointer points.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int flag, y = 1;
int *p = &y;
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    if (!flag) {
        p = malloc(sizeof *p);
        *p = 9;
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(*p == 1);
    return 0;
}
