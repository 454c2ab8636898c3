//! Two loops of the same unknown length, in two threads: what each counts is the same.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned length, left, right;

void *count(void *argument) {
    for (unsigned i = 0; i < length; i++)
        left++;
    return argument;
}

int main(void) {
    pthread_t t;
    length = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, count, 0);
    for (unsigned i = length; i > 0; i--)
        right++;
    pthread_join(t, 0);
    assert(left == right);
    return 0;
}
