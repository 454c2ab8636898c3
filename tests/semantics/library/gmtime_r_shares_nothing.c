//! gmtime_r writes only to its argument.
//! expect: no-data-race true
#include <pthread.h>
#include <time.h>

static void *child(void *arg) {
    time_t t = 0;
    struct tm mine;
    gmtime_r(&t, &mine);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
