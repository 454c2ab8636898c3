// classes: 9
// The write of 7 before, between or after load and store of the leaf (3); main's read before, between or after the two writes (3).
#include <pthread.h>
int x;
static void *leaf(void *arg) {
    x = x + 1;
    return arg;
}
static void *inner(void *arg) {
    pthread_t id;
    pthread_create(&id, 0, leaf, 0);
    x = 7;
    pthread_join(id, 0);
    return arg;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, inner, 0);
    int a = x;
    pthread_join(id, 0);
    return 0;
}
