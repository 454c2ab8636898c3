// classes: 9
// Each of two readers is done before the try, is inside, or comes after it: 3 * 3; the try succeeds in 4 of these.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
static void *t0(void *arg) {
    if (pthread_rwlock_trywrlock(&l) == 0)
        pthread_rwlock_unlock(&l);
    return arg;
}
static void *t1(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}
static void *t2(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}
int main(void) {
    pthread_t id[3];
    pthread_create(&id[0], 0, t0, 0);
    pthread_create(&id[1], 0, t1, 0);
    pthread_create(&id[2], 0, t2, 0);
    pthread_join(id[0], 0);
    pthread_join(id[1], 0);
    pthread_join(id[2], 0);
    return 0;
}
