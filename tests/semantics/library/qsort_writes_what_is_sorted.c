//! Sorting may write elements that are in their place already.
//! expect: no-data-race false
//! gcc: skip races
#include <pthread.h>
#include <stdlib.h>

static int numbers[2] = {1, 2};

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } // violation: no-data-race

static void *reader(void *arg) {
    int seen = numbers[0]; // violation: no-data-race
    (void)seen;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    qsort(numbers, 2, sizeof(int), compare); // violation: no-data-race
    pthread_join(a, 0);
    return 0;
}
