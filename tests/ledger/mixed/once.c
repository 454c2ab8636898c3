//! What is initialised once is there for all.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *table;

static void fill(void) {
    table = malloc(2 * sizeof *table);
    table[0] = 1;
    table[1] = 2;
}

static void *work(void *arg) {
    pthread_once(&once, fill);
    assert(table[0] + table[1] == 3);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    free(table);
    return 0;
}
