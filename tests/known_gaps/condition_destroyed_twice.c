//! Should be false(valid-sync), is true: a condition variable is destroyed twice.
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
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
 pthread_cond_t c=PTHREAD_COND_INITIALIZER;
 int go;
 int main(){
pthread_cond_destroy(&c);
pthread_cond_destroy(&c);
return 0;
}
