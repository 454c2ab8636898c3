//! A join receives what the thread returned or gave to pthread_exit, from however deep a call.
//! expect: unreach-call true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>

static int x, y;

static void leave(void) { pthread_exit(&y); }

static void *returns(void *arg) { (void)arg; return &x; }

static void *exits(void *arg) {
    leave();
    return arg;
}

int main(void) {
    pthread_t a, b;
    void *from_return, *from_exit;
    pthread_create(&a, 0, returns, 0);
    pthread_create(&b, 0, exits, 0);
    pthread_join(a, &from_return);
    pthread_join(b, &from_exit);
    assert(from_return == &x && from_exit == &y);
    return 0;
}
