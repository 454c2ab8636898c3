//! Memory that nobody wrote, read by two threads: whoever comes first is asked.
//! expect: unreach-call false
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assert(int);
int __VERIFIER_nondet_int(void);

int s;
void *child(void *argument) { s = *(int *)argument; return 0; }
int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    pthread_create(&t, 0, child, p);
    int mine = *p;
    int theirs = s;
    __VERIFIER_assert(!(mine == 5 && theirs == 5));
    return 0;
}
