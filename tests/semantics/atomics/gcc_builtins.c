//! The __atomic and __sync builtins are atomic on plain objects, each with its own result.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *child(void *arg) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&y, 2);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 2 && y == 4);
    assert(__sync_add_and_fetch(&x, 1) == 3 && __sync_fetch_and_sub(&x, 1) == 3);
    assert(__sync_bool_compare_and_swap(&x, 2, 9) && __sync_val_compare_and_swap(&x, 0, 1) == 9);
    assert(__atomic_exchange_n(&y, 0, __ATOMIC_SEQ_CST) == 4 && y == 0);
    return 0;
}
