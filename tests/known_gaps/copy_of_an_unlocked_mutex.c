#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_t c = m;
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    return 0;
}
