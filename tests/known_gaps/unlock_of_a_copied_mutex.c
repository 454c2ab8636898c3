//! Should be false(valid-sync), is true: a held mutex is copied, and the copy unlocked.
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
 int main(){
pthread_mutex_lock(&m);
 pthread_mutex_t n=m;
 pthread_mutex_unlock(&n);
 pthread_mutex_unlock(&m);
return 0;
}
