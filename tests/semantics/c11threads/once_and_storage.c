//! call_once runs once; a thread's storage is destroyed when it ends.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int value, destroyed;

static void destructor(void *v) {
    assert(v == &value);
    destroyed++;
}

static void initialise(void) { tss_create(&key, destructor); }

static int child(void *arg) {
    (void)arg;
    call_once(&once, initialise);
    tss_set(key, &value);
    return 0;
}

int main(void) {
    thrd_t a;
    call_once(&once, initialise);
    thrd_create(&a, child, 0);
    thrd_join(a, 0);
    assert(destroyed == 1 && tss_get(key) == 0);
    return 0;
}
