//! The divisor becomes -1 while the dividend is the smallest number: a quotient that does not fit in some orders only.
//! expect: no-div-zero false
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int dividend = 10, divisor = 2;

void *change(void *argument) {
    divisor = -1;
    dividend = INT_MIN;
    divisor = 3;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    int by = divisor;
    int result = dividend / by; // violation: no-div-zero
    pthread_join(t, 0);
    return result == 0;
}
