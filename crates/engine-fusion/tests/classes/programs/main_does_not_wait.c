// classes: 4
// As for two increments; the process ends last.
#include <pthread.h>
int x;
static void *t(void *arg) {
    x = x + 1;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, t, 0);
    return 0;
}
