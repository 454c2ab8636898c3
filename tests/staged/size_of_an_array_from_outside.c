//! A variable-length array of a size that nobody knows: small ones show the mistake, which is one element behind the end.
//! expect: valid-deref false
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int behind;

void *step(void *argument) {
    behind = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    int room = __VERIFIER_nondet_int();
    if (room < 1 || room > 1000) {
        return 0;
    }
    int numbers[room];
    pthread_create(&thread, 0, step, 0);
    numbers[room - 1 + behind] = 1;
    pthread_join(thread, 0);
    return 0;
}
