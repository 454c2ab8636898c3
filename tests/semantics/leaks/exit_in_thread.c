//! exit in a thread stops main where it is: main's stack is live, and what it holds is no leak.
//! expect: valid-memsafety true
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    (void)arg;
    exit(0);
}

int main(void) {
    pthread_t a;
    int *p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, 0);
    free(p);
    return 0;
}
