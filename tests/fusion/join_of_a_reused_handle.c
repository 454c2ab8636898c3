// A thread waits in vain for the thread that now has the handle of a detached one: only if creation comes before the look at the handle.
#include <pthread.h>
pthread_t t1;
int go;
void *again(void *argument) {
    pthread_join(t1, 0);
    return 0;
}
void *ends(void *argument) {
    return 0;
}
void *makes(void *argument) {
    pthread_t other;
    pthread_create(&other, 0, again, 0);
    return 0;
}
int main(void) {
    pthread_t t0;
    pthread_create(&t1, 0, ends, 0);
    pthread_create(&t0, 0, makes, 0);
    pthread_detach(t1);
    pthread_join(t0, 0);
    pthread_exit(0);
}
