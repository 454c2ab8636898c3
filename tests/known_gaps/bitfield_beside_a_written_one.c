//! Should be false(no-uninit), is true: writing one bit-field counts as writing its neighbours in the same byte.
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
int a:4;
 int b:4;
};
 int main(){
struct B s;
 s.a=1;
 if(s.b) return 1;
 return 0;
}
