//! Returning from main ends the process without running main's key destructors.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value;

static void destructor(void *v) { assert(v == 0); }

int main(void) {
    pthread_key_create(&key, destructor);
    pthread_setspecific(key, &value);
    return 0;
}
