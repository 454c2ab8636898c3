//! A pointer comes out of a pipe as it went in, and with it what it points to.
//! expect: unreach-call true
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <stdlib.h>

static int ends[2];

static void *frees(void *a) {
    int *p;
    while (read(ends[0], &p, sizeof p) == sizeof p && p) {
        assert(*p == 7);
        free(p);
    }
    return a;
}

int main(void) {
    pthread_t t;
    if (pipe(ends))
        return 1;
    pthread_create(&t, 0, frees, 0);
    int *p = malloc(sizeof *p), *end = 0;
    *p = 7;
    assert(write(ends[1], &p, sizeof p) == sizeof p);
    assert(write(ends[1], &end, sizeof end) == sizeof end);
    pthread_join(t, 0);
    return 0;
}
