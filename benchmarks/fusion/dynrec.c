// N + 2 threads (one of them main) each walk down a recursion that picks a shared counter by its depth and adds to it; updates are lost only if a
// thread finds the counter between the two halves of another's update, on a branch that orderly executions do not take.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 0
#endif
#define DEPTH 3
int cell[DEPTH], busy[DEPTH], lost;
static void walk(int depth) {
    if (depth == DEPTH)
        return;
    int *where = &cell[depth];
    if (busy[depth]) {
        lost = lost + 1;
    } else {
        busy[depth] = 1;
        *where = *where + 1;
        busy[depth] = 0;
    }
    walk(depth + 1);
}
static void *thread(void *arg) {
    walk(0);
    return arg;
}
int main(void) {
    pthread_t id[N + 1];
    for (int i = 0; i <= N; i++)
        pthread_create(&id[i], 0, thread, 0);
    walk(0);
    for (int i = 0; i <= N; i++)
        pthread_join(id[i], 0);
    assert(lost == 0);
    return 0;
}
