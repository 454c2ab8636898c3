//! The same, but one side may get more votes than one thread casts.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);
void abort(void);

unsigned each;
atomic_uint yes, no;

void *vote(void *argument) {
    for (unsigned i = 0; i < each; i++) {
        if (__VERIFIER_nondet_bool())
            yes++;
        else
            no++;
    }
    return argument;
}

int main(void) {
    pthread_t t, u;
    each = __VERIFIER_nondet_uint();
    if (each > 1000000)
        abort();
    pthread_create(&t, 0, vote, 0);
    pthread_create(&u, 0, vote, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(yes <= each);
    return 0;
}
