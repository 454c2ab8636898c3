//! What a section adds and takes away again is seen by those who do not wait for the lock.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic int inside;
int entered;

void *visit(void *argument) {
    pthread_mutex_lock(&lock);
    inside++;
    entered++;
    inside--;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, visit, 0);
    pthread_create(&second, 0, visit, 0);
    assert(inside == 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
