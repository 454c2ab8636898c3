//! Different members of a union overlap.
//! expect: no-data-race false
#include <pthread.h>

static union { int number; char text[4]; } u;

static void *child(void *arg) {
    u.number = 1; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    char last = u.text[3]; // violation: no-data-race
    pthread_join(t, 0);
    return last;
}
