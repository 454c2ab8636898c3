// Threads insert messages into a shared hash table (the example of Flanagan and Godefroid). From 12 threads on there are collisions.
// The assertion says that an entry, once written, is not written again; with OK that an inserted message is where it was put.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 10
#endif
#define SIZE 128
#define MESSAGES 4
int table[SIZE];
static int claim(int h, int w) {
    int expected = 0;
    return __atomic_compare_exchange_n(&table[h], &expected, w, 0, 5, 5);
}
static void *thread(void *arg) {
    int id = (int)(long)arg;
    for (int m = 0; m < MESSAGES; m++) {
        int w = (m + 1) * 11 + id;
        int h = (w * 7) % SIZE;
#ifdef OK
        while (!claim(h, w))
            h = (h + 1) % SIZE;
        assert(__atomic_load_n(&table[h], 5) == w);
#else
        assert(claim(h, w));
#endif
    }
    return arg;
}
int main(void) {
    pthread_t id[N];
    for (int i = 0; i < N; i++)
        pthread_create(&id[i], 0, thread, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(id[i], 0);
    return 0;
}
