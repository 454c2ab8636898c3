//! A thread that looks between two additions of its own sees the first.
//! expect: no-data-race false
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int inside, entered, races;

void *visit(void *argument) {
    pthread_mutex_lock(&lock);
    inside++;
    entered++;
    int here = inside == 1;
    inside--;
    pthread_mutex_unlock(&lock);
    if (here)
        races++;
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, visit, 0);
    pthread_create(&second, 0, visit, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
