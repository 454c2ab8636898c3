//! Division by zero stops one thread only: the others keep their bugs.
//! expect: unreach-call false
//! expect: no-div-zero false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor;

static void *divide(void *arg) {
    int q = 1 / divisor; // violation: no-div-zero
    (void)q;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, divide, 0);
    divisor = 1;
    assert(divisor == 0); // violation: unreach-call
    pthread_join(a, 0);
    return 0;
}
