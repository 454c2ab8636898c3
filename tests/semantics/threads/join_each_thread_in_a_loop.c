//! A loop that joins each element once, where another loop has filled all of them.
//! expect: valid-sync true
#include <pthread.h>

static pthread_t threads[3];

static void *ends(void *a) { return a; }

int main(void) {
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, ends, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
