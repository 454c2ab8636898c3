//! One common byte is enough: an int and a char in its middle.
//! expect: no-data-race false
#include <pthread.h>

static int x;

static void *child(void *arg) {
    x = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    ((char *)&x)[2] = 1; // violation: no-data-race
    pthread_join(t, 0);
    return 0;
}
