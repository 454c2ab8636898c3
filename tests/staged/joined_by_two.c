//! Whoever joins a thread that was joined before comes after its end: nothing races with it.
//! expect: no-data-race true
#include <pthread.h>

int x;
pthread_t t;
void *child(void *argument) { x = 1; return argument; }
void *other(void *argument) { pthread_join(t, 0); return argument; }
int main(void) {
    pthread_t o;
    pthread_create(&t, 0, child, 0);
    pthread_create(&o, 0, other, 0);
    pthread_join(t, 0);
    x = 2;
    return 0;
}
