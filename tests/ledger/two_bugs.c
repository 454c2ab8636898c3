//! Two assertions that fail in some interleavings. FIXED removes the second violation; MOVED moves functions and instructions, with the same visible steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

#ifdef MOVED
static int half(int x) {
    return x / 2;
}
#endif

static void *writer(void *arg) {
    first = 1;
#ifdef FIXED
    second = 0;
#else
    second = 1;
#endif
    return arg;
}

int main(void) {
    pthread_t thread;
#ifdef MOVED
    half(6);
#endif
    pthread_create(&thread, 0, writer, 0);
    int a = first;
    int b = second;
    assert(a == 0);
    assert(b == 0);
    pthread_join(thread, 0);
    return 0;
}
