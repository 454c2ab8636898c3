//! While the only pointer to the block lies across two words, nothing that is looked at for leaks points to the block, and the process may end.
//! expect: valid-memtrack false
#include <pthread.h>
#include <stdlib.h>

struct record {
    char tag;
    void *block;
} __attribute__((packed));

static struct record *kept;

static void put(void) {
    kept->block = malloc(4);
}

static void drop(void) {
    free(kept->block);
    kept->block = 0;
}

static void *keep(void *argument) {
    put();
    drop();
    return argument;
}

static void *leave(void *argument) {
    exit(0);
    return argument;
}

int main(void) {
    static struct record record;
    kept = &record;
    pthread_t a, b;
    pthread_create(&b, 0, leave, 0);
    pthread_create(&a, 0, keep, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
