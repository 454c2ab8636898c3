//! Combinations of these sums have factors beyond 128 bits: none is told, rather than a wrong one.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
long a, b, c, d, count;

void *add(void *argument) {
    pthread_mutex_lock(&lock);
    a += 0;
    b += 0;
    c += 0;
    d += 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    a += 487824887233L;
    count += 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    b += 57927503485L;
    count += 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    c += 63477205883L;
    count += 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    d += 12432338001L;
    count += 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(count != 8);
    return 0;
}
