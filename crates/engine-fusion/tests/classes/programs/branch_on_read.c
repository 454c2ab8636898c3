// classes: 3
// The reader sees 0 and is done (1 class); sees 1, and then its write of y comes before or after the writer's.
#include <pthread.h>
int x, y;
static void *t0(void *arg) {
    x = 1;
    y = 1;
    return arg;
}
static void *t1(void *arg) {
    if (x)
        y = 2;
    return arg;
}
int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    return 0;
}
