//! How much memory there is depends on an input: both sizes are followed, and there are no others.
//! expect: valid-deref true
//! expect: valid-free true
//! expect: valid-memtrack true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int count = 2;
int *numbers;

void *fill(void *argument) {
    for (int i = 0; i < count; i++) {
        numbers[i] = i;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    if (__VERIFIER_nondet_bool()) {
        count = 3;
    }
    numbers = malloc(count * sizeof *numbers);
    if (!numbers) {
        return 1;
    }
    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    assert(numbers[count - 1] == count - 1);
    free(numbers);
    return 0;
}
