//! Should be false, is true: a blocked sem_wait on a semaphore that was never initialised: no misuse, no race.
#include <pthread.h>
#include <semaphore.h>
sem_t s; unsigned h=1;
void*f(void*a){sem_wait(&s);return 0;}
int main(){pthread_t t;
 for(int i=0;i<3000;i++) h=h*1103515245u+12345u;
 if(h==7) return 1;
 pthread_create(&t,0,f,0);sem_init(&s,0,1);pthread_join(t,0);return 0;}
