//! A function is left by `longjmp` while it holds a lock: nobody unlocks it.
//! expect: no-deadlock false
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf place;

static void fails(void) {
    pthread_mutex_lock(&lock);
    longjmp(place, 1);
}

int main(void) {
    if (setjmp(place) == 0)
        fails();
    pthread_mutex_lock(&lock); // violation: no-deadlock
    pthread_mutex_unlock(&lock);
    return 0;
}
