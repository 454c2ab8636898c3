//! What a thread does behind `longjmp` races like anything else.
//! expect: no-data-race false
#include <pthread.h>
#include <setjmp.h>

static int count;

static void *works(void *argument) {
    jmp_buf place;
    if (setjmp(place) == 0)
        longjmp(place, 1);
    count++; // violation: no-data-race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, works, 0);
    count++; // violation: no-data-race
    pthread_join(thread, 0);
    return 0;
}
