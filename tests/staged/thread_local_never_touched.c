//! A thread-local object ends with its thread, even if that never touched it.
//! expect: unreach-call true
//! expect: valid-deref false
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int x, y; static __thread int tl; int *p = &x;
void *thread0(void *a) { *p += y; return 0; }
void *thread1(void *a) { return &tl; }
int main(void) { pthread_t t0, t1; void *r; pthread_create(&t0, 0, thread0, 0); pthread_create(&t1, 0, thread1, 0);
  pthread_join(t1, &r); *p = *(int *)r; __VERIFIER_assert(0); return 0; }
