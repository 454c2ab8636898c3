//! Should be false(valid-sync), is true: a thread waits at a barrier that was never initialised.
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
 void*f(void*a){
pthread_barrier_wait(&b);
return 0;
} int main(){
pthread_t t;
pthread_create(&t,0,f,0);
return 0;
}
