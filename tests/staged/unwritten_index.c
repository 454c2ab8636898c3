//! A number that nobody wrote is nobody's address, but it can be an index.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *index_of;
int table[2];

void *choose(void *argument) {
    *index_of = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    index_of = malloc(sizeof *index_of);
    pthread_create(&thread, 0, choose, 0);
    table[*index_of & 1] = 7;
    assert(table[0] != 7);
    return 0;
}
