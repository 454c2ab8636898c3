//! Should be false(valid-deref), is true: the same, by a thread that still runs.
#include <pthread.h>
#include <stdlib.h>
pthread_t a; void h(void) { pthread_join(a, 0); }
void *t(void *p) { *(int *)p = 1; return 0; }
int main(void) { int x; atexit(h); pthread_create(&a, 0, t, &x); return 0; }
