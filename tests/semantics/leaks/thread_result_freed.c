//! What a thread returns is tracked until the join hands it over.
//! expect: valid-memsafety true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    int *result = malloc(sizeof *result);
    *result = 7;
    (void)arg;
    return result;
}

int main(void) {
    pthread_t a;
    void *result;
    pthread_create(&a, 0, child, 0);
    pthread_join(a, &result);
    assert(*(int *)result == 7);
    free(result);
    return 0;
}
