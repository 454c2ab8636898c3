// classes: 2
// Nothing is concurrent, but the second thread may get the first one's handle.
#include <pthread.h>
int x;
static void *t(void *arg) {
    x = x + 1;
    return arg;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, t, 0);
    pthread_join(id, 0);
    pthread_create(&id, 0, t, 0);
    pthread_join(id, 0);
    return 0;
}
