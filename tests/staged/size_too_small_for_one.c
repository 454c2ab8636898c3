//! The smaller of two sizes that an input chooses between is too small, and only in one order: the other thread counts first.
//! expect: valid-deref false
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int last = 1;
int *numbers;

void *count(void *argument) {
    last = 2;
    return argument;
}

int main(void) {
    pthread_t thread;
    int room = __VERIFIER_nondet_bool() ? 3 : 2;
    numbers = malloc(room * sizeof *numbers);
    if (!numbers) {
        return 1;
    }
    pthread_create(&thread, 0, count, 0);
    numbers[last] = 1;
    pthread_join(thread, 0);
    free(numbers);
    return 0;
}
