//! Should be false, is true: memory of a semaphore is overwritten while a thread waits for it: no race.
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
sem_t s;
 void*f(void*a){
sem_wait(&s);
return 0;
} int main(){
pthread_t t;
sem_init(&s,0,0);
pthread_create(&t,0,f,0);
memset(&s,0,sizeof s);
return 0;
}
