//! What getenv finds is nothing or a string, and looking at it is no race.
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *child(void *arg) {
    char *value = getenv("MODE");
    if (value && value[0] == 'x')
        return 0;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
