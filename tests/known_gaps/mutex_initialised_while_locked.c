//! Should be false(valid-sync), is true: a second initialisation of a locked mutex.
#include <pthread.h>
pthread_mutex_t m;
int main(void) { pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); return 0; }
