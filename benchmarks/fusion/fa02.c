// Two threads add to two shared variables through pointers, N times, with branches on what they read; without a lock updates are
// lost, in the order of steps of any execution.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 1
#endif
int x, y, turns;
static void add(int *to, int *other) {
    int seen = *to;
    if (seen >= 0)
        *to = seen + 1;
    else
        *other = 0;
    turns = turns + 1;
}
static void *up(void *arg) {
    for (int i = 0; i < N; i++) {
        add(&x, &y);
        add(&y, &x);
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, up, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2 * N);
    return 0;
}
