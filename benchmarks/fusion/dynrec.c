// N + 2 threads, main among them, each walk down a recursion that picks a shared counter by its depth and adds to it. The counters do not
// matter; but the first thread begins with an update in two halves, and the others end with a look at it. So the failure
// needs a switch at the very beginning, and lies behind all orders of what does not matter.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 0
#endif
#define DEPTH 3
int cell[DEPTH], low, high;
static void walk(int depth) {
    if (depth == DEPTH)
        return;
    int *where = &cell[depth];
    if (*where >= 0)
        *where = *where + 1;
    else
        *where = 0;
    walk(depth + 1);
}
static void *first(void *arg) {
    low = 1;
    high = 1;
    walk(0);
    return arg;
}
static void *other(void *arg) {
    walk(0);
    int l = low;
    int h = high;
    assert(l == 0 || h == 1);
    return arg;
}
int main(void) {
    pthread_t id[N + 1];
    pthread_create(&id[0], 0, first, 0);
    for (int i = 1; i <= N; i++)
        pthread_create(&id[i], 0, other, 0);
    other(0);
    for (int i = 0; i <= N; i++)
        pthread_join(id[i], 0);
    return 0;
}
