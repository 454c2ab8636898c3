//! Should be false, is true: the same of a reader-writer lock.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <stdatomic.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern long __VERIFIER_nondet_long(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
pthread_rwlock_t m; void*f(void*a){pthread_rwlock_rdlock(&m);return 0;} int main(){pthread_t t; unsigned h=1; for(int i=0;i<3000;i++) h=h*h*1103515245u+12345u; pthread_rwlock_init(&m,0);pthread_rwlock_wrlock(&m);pthread_create(&t,0,f,0);memset(&m,0,sizeof m);return 0;}
