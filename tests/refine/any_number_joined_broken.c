//! Many threads, whose handles are kept in an array; some do not wait at the door.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

#define MANY 5000

pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
int inside;
int visits;

void *visitor(void *arg) {
    pthread_mutex_lock(&door);
    assert(inside == 0);
    inside = 1;
    visits = visits + 1;
    pthread_mutex_unlock(&door);
    inside = 0;
    return arg;
}

int main(void) {
    pthread_t all[MANY];
    for (int i = 0; i < MANY; i++)
        pthread_create(&all[i], 0, visitor, 0);
    pthread_mutex_lock(&door);
    assert(inside == 0);
    pthread_mutex_unlock(&door);
    for (int i = 0; i < MANY; i++)
        pthread_join(all[i], 0);
    return 0;
}
