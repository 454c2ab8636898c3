//! Who does not get the lock does something else.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, missed[2];

static void *work(void *arg) {
    int *mine = arg;
    if (pthread_mutex_trylock(&lock) == 0) {
        inside++;
        assert(inside == 1);
        inside--;
        pthread_mutex_unlock(&lock);
    } else {
        *mine = 1;
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, &missed[0]);
    pthread_create(&b, 0, work, &missed[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(missed[0] + missed[1] <= 1);
    return 0;
}
