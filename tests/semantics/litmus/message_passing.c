//! MP: who sees the flag sees the data, and there is no race on the data.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *arg) {
    data = 42;
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, sender, 0);
    if (flag == 1)
        assert(data == 42);
    pthread_join(a, 0);
    return 0;
}
