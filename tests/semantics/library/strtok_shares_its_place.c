//! strtok has one place for all threads.
//! expect: no-data-race false
#include <pthread.h>
#include <string.h>

static void *child(void *arg) {
    char text[] = "a";
    strtok(text, " "); // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    child(0);
    pthread_join(a, 0);
    return 0;
}
