// classes: 5 valid-memsafety
// The process ends before or after each of three steps and the end of the thread; for leaks that matters.
#include <pthread.h>
#include <stdlib.h>
int *p;
static void *t(void *arg) {
    p = malloc(4);
    p = 0;
    return arg;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    return 0;
}
