//! What the library keeps for itself is not for the program to free; abort frees nothing and asks for nothing.
//! expect: valid-memcleanup true
#include <semaphore.h>
#include <stdlib.h>

static void nothing(void) {}

int main(void) {
    if (atexit(nothing) != 0)
        abort();
    sem_t *s = sem_open("/raddle", 0);
    if (s != SEM_FAILED)
        sem_post(s);
    return 0;
}
