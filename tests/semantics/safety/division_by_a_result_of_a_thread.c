//! A divisor that came back through a pointer: it is zero before the thread has run.
//! expect: no-div-zero false
#include <pthread.h>

static int divisor, quotient;

static void *give(void *unused) {
    (void)unused;
    return (void *)(long)quotient;
}

int main(void) {
    pthread_t thread;
    void *result = 0;
    quotient = 5 / divisor; // violation: no-div-zero
    pthread_create(&thread, 0, give, 0);
    pthread_join(thread, &result);
    divisor = (int)(long)result;
    return 0;
}
