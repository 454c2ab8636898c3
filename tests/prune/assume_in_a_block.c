//! The branch that the first execution does not take waits in an atomic block.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int flag, x, late;
static void *first(void *arg) {
    flag = 1;
    late = 1;
    return arg;
}
static void *second(void *arg) {
    if (!flag) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(late);
        x = 1;
        __VERIFIER_atomic_end();
    }
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
