//! pthread_cleanup_pop runs the handler only if asked to.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static int order;
static void ends(void *arg) { order = order * 10 + *(int *)arg; }

int main(void) {
    int one = 1, two = 2;
    pthread_cleanup_push(ends, &one);
    pthread_cleanup_push(ends, &two);
    order = 3;
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    assert(order == 31);
    return 0;
}
