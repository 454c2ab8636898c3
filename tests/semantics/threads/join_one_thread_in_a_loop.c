//! A loop that joins the same element twice, where another loop has filled all elements.
//! expect: valid-sync false
//! gcc: skip undefined
#include <pthread.h>

static pthread_t threads[2];

static void *ends(void *a) { return a; }

int main(void) {
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, ends, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i / 2], 0); // violation: valid-sync
    return 0;
}
