//! Should be false(no-data-race), is true: `atomic_init` is a store like any other relaxed one.
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x; void *t(void *p) { x++;
    return p;
}
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); atomic_init(&x, 0); pthread_join(a, 0); return 0; }
