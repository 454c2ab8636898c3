// classes: 18
// Two writes of the leaves and main's read, in any order: 3!. The second leaf is made before main joins the first inner thread, or
// behind that and may get its handle or not: 3.
#include <pthread.h>
int x;
static void *leaf(void *arg) {
    x = 1;
    return arg;
}
static void *inner(void *arg) {
    pthread_t id;
    pthread_create(&id, 0, leaf, 0);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, inner, 0);
    pthread_create(&b, 0, inner, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int v = x;
    pthread_exit(0);
}
