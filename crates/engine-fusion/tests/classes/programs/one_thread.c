// classes: 1
// Nobody to interleave with but main, which waits.
#include <pthread.h>
int x, y, z;
static void *t0(void *arg) {
    x = 1;
    y = x;
    return arg;
}
int main(void) {
    pthread_t id[1];
    pthread_create(&id[0], 0, t0, 0);
    pthread_join(id[0], 0);
    return 0;
}
