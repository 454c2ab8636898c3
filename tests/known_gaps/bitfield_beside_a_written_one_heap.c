//! Should be false(no-uninit), is true: the same on the heap.
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
struct B{
unsigned a:1,b:1;
};
 int main(){
struct B*s=malloc(sizeof*s);
 s->a=0;
 int r=s->b?1:2;
 free(s);
 return r;
}
