//! MP the wrong way round: the flag set before the data.
//! expect: unreach-call false
//! expect: no-data-race false
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *arg) {
    flag = 1;
    data = 42; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, sender, 0);
    if (flag == 1)
        assert(data == 42); // violation: unreach-call, no-data-race
    pthread_join(a, 0);
    return 0;
}
