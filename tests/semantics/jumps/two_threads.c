//! Each thread goes back to its own place.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failures;

static void fails(jmp_buf *place) {
    pthread_mutex_lock(&lock);
    failures++;
    pthread_mutex_unlock(&lock);
    longjmp(*place, 2);
}

static void *works(void *argument) {
    jmp_buf place;
    int code = setjmp(place);
    if (code == 0)
        fails(&place);
    assert(code == 2);
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, works, 0);
    pthread_create(&second, 0, works, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(failures == 2);
    return 0;
}
