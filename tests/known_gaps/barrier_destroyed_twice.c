//! Should be false(valid-sync), is true: a barrier is destroyed twice.
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
pthread_barrier_t b;
 int main(){
pthread_barrier_init(&b,0,1);
pthread_barrier_destroy(&b);
pthread_barrier_destroy(&b);
return 0;
}
