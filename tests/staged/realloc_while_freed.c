//! Asking for the size of an object is a step of its own: it may be freed before or after.
//! expect: valid-deref false
#include <pthread.h>
#include <stdlib.h>

int *g;
void *first(void *argument) { g = realloc(g, 1); return argument; }
void *second(void *argument) {
    g = realloc(g, 1);
    int *old = g;
    g = 0;
    free(old);
    return argument;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    return 0;
}
