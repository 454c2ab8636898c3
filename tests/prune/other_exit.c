//! A loop is left by another exit than in the first execution.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    for (int i = 0; i < 3; i++) {
        if (!flag)
            break;
        x++;
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 3);
    return 0;
}
