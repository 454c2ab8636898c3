// classes: 9
// One reader keeps the lock; the writer comes before it, and before or behind each of the three that give it back (8), or never (1).
#include <pthread.h>
pthread_rwlock_t rw;
void *writer(void *argument) { pthread_rwlock_wrlock(&rw); return 0; }
void *reader(void *argument) { pthread_rwlock_rdlock(&rw); return 0; }
void *both(void *argument) { pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); return 0; }
int main(void) {
    pthread_t t0, t1, t2, t3;
    pthread_create(&t0, 0, writer, 0);
    pthread_create(&t1, 0, reader, 0);
    pthread_create(&t2, 0, both, 0);
    pthread_create(&t3, 0, both, 0);
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    pthread_join(t0, 0);
    return 0;
}
