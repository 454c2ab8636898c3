//! Should be false(valid-deref), is true: the same, by a thread.
#include <pthread.h>
struct S { int a; }; pthread_t t;
void *th(void *p) { *(int *)p = 2; return 0; }
void f(struct S s) { pthread_create(&t, 0, th, &s.a); }
int main(void) { struct S v = {1}; f(v); pthread_join(t, 0); return 0; }
