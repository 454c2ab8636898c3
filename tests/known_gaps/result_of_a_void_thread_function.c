//! Should be false(no-uninit), is true: a thread function without a result, called through a cast; its result decides a branch.
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
void f(void*a){
} int main(){
pthread_t t;
void*r;
pthread_create(&t,0,(void*(*)(void*))f,0);
pthread_join(t,&r);
if(r)return 1;
return 0;
}
