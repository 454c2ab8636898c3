//! Everything is freed in the end, by whichever thread.
//! expect: valid-memsafety true
//! expect: valid-memcleanup true
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *child(void *arg) {
    free(arg);
    return strdup("done");
}

int main(void) {
    pthread_t a;
    void *text;
    pthread_create(&a, 0, child, malloc(8));
    pthread_join(a, &text);
    free(text);
    return 0;
}
