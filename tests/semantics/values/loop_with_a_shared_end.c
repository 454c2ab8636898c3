//! A loop that begins with a constant, but ends where another thread says.
//! expect: unreach-call false
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static _Atomic int end;

static void *adds(void *arg) {
    for (int i = 0; i < 3; i++) {
        int sum = 0;
        for (int k = 9; k > end; k -= 2)
            sum += k % 4;
        end = 4;
        assert(sum == 9); // violation: unreach-call
        pthread_mutex_lock(&m);
        total += sum;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 54);
    return 0;
}
