// A producer passes through an intermediate state in each of N rounds; a consumer does harm only if it looks at that moment, which an
// execution that runs one thread after the other does not show. With OK
// there are two intermediate states, and the harm is taken back.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 1
#endif
int state, data, sum;
static void *producer(void *arg) {
    for (int i = 0; i < N; i++) {
        state = 1;
        data = data + 1;
#ifdef OK
        state = 2;
#endif
        state = 0;
    }
    return arg;
}
static void *consumer(void *arg) {
    for (int i = 0; i < N; i++) {
        int seen = state;
        if (seen == 1) {
            sum = sum + 1;
#ifdef OK
            sum = sum - 1;
#endif
        } else if (seen == 2) {
            sum = 0;
        } else {
            int mine = data;
            if (mine > N)
                sum = mine;
        }
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 0);
    return 0;
}
