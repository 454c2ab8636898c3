#include <assert.h>
#include <pthread.h>
#include <stdint.h>
uintptr_t owner;
void *w(void *a) {
    int me;
    assert(owner != (uintptr_t)&me);
    owner = (uintptr_t)&me;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) { pthread_create(&t, 0, w, 0); pthread_join(t, 0); }
    return 0;
}
