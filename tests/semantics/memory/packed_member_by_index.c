//! A member of a packed structure lies anywhere: at an unknown index it is still read and written.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

struct entry {
    char tag;
    int value;
} __attribute__((packed));

struct entry table[3];

void *writer(void *arg) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return arg;
    table[i].value = 7;
    assert(table[i].value == 0); // violation: unreach-call
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    return 0;
}
