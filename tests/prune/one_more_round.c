//! A loop goes round more often than in the first execution.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int flag, x;
static void *first(void *arg) {
    flag = 1;
    return arg;
}
static void *second(void *arg) {
    int rounds = 0;
    while (!flag && rounds < 2) {
        rounds++;
        x = x + rounds;
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 3);
    return 0;
}
