// A producer passes through an intermediate state in each of N rounds; a consumer does harm only if it looks at that moment, which an
// execution that runs one thread after the other does not show. Then both add to a counter that does not matter, so that the failure lies behind
// all orders of that. With OK there are two intermediate states instead of the counter, and the harm is taken back.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 1
#endif
int state, data, sum, turns;
static void count(void) {
#ifndef OK
    for (int i = 0; i <= N / 5; i++)
        turns = turns + 1;
#endif
}
static void *producer(void *arg) {
    for (int i = 0; i < N; i++) {
        state = 1;
        data = data + 1;
#ifdef OK
        state = 2;
#endif
        state = 0;
    }
    count();
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
    count();
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
