//! A fence orders nothing more than sequential consistency does: plain accesses around it still race.
//! expect: unreach-call true
//! expect: no-data-race false
//! gcc: skip the compiler may reorder plain accesses
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data, flag;

static void *child(void *arg) {
    data = 1;
    atomic_thread_fence(memory_order_seq_cst);
    flag = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    int seen = flag; // violation: no-data-race
    atomic_thread_fence(memory_order_seq_cst);
    if (seen)
        assert(data == 1);
    pthread_join(a, 0);
    return 0;
}
