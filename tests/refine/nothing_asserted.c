//! Nothing is asserted in what is called, so nothing else need be known: not even how long the loops are.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int *table;
pthread_mutex_t locks[8];

void never_called(int n) {
    assert(n == 0);
}

int claim(int at) {
    pthread_mutex_lock(&locks[at]);
    int mine = table[at]++ == 0;
    pthread_mutex_unlock(&locks[at]);
    return mine;
}

void *worker(void *arg) {
    for (int at = 0; !claim(at % 8); at++) {
    }
    return arg;
}

int main(void) {
    int many = __VERIFIER_nondet_int();
    table = malloc(many * sizeof *table);
    for (int i = 0; i < many; i++) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
    return 0;
}
