//! What is added depends on another sum, and on the one itself.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a = 1, b = 1;

void *first(void *argument) {
    pthread_mutex_lock(&lock);
    a = a + b;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *second(void *argument) {
    pthread_mutex_lock(&lock);
    b = b + (a > 1 ? a : 1);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, i % 2 ? first : second, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(a + b <= 13); /* a, b, a, b: 2, 3, 5, 8 */
    assert(a + b >= 5);
    assert(a + b != 13);
    return 0;
}
