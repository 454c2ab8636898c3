//! Should be false, is true: a thread waits for a mutex that main initialises again: no race, no misuse.
#include <pthread.h>
pthread_mutex_t m;
void*f(void*a){pthread_mutex_lock(&m);return 0;}
int main(){pthread_t t; unsigned h=1;
 for(int i=0;i<3000;i++) h=h*h*1103515245u+12345u;
 pthread_mutex_init(&m,0);pthread_mutex_lock(&m);pthread_create(&t,0,f,0);pthread_mutex_init(&m,0);return 0;}
