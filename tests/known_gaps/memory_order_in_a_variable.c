//! Should be unknown or false(no-data-race), is true: a memory order that is not a constant is taken for seq_cst (printed as an assumption).
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
int d;
 atomic_flag l=ATOMIC_FLAG_INIT;
 void lk(memory_order o){
while(atomic_flag_test_and_set_explicit(&l,o));
} void*w(void*a){
lk(memory_order_relaxed);
d++;
atomic_flag_clear_explicit(&l,memory_order_release);
return 0;
} int main(){
pthread_t t;
pthread_create(&t,0,w,0);
w(0);
pthread_join(t,0);
return 0;
}
