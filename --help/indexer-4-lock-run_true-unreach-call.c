/* indexer(4): 4 threads put 4 messages each into a hash table of 128 slots. */
#include <assert.h>
#include <pthread.h>

#define SIZE 128
#define MESSAGES 4
#define ENTRY 26 /* tried by 1 message(s) in every complete run */

int table[SIZE];
pthread_mutex_t lock[SIZE];

static int cas(int slot, int expected, int desired)
{
    int done = 0;
    pthread_mutex_lock(&lock[slot]);
    if (table[slot] == expected) {
        table[slot] = desired;
        done = 1;
    }
    pthread_mutex_unlock(&lock[slot]);
    return done;
}

static const int probes[4][MESSAGES] = {
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
};

static void *worker(void *argument)
{
    int tid = (int)(long)argument;
    int m = 0;
    while (m < MESSAGES) {
        int w = (++m) * 11 + tid;
        int h = (w * 7) % SIZE;
        int left = probes[tid][m - 1];
        while (left > 0 && !cas(h, 0, w)) {
            assert(h != ENTRY);
            h = (h + 1) % SIZE;
            left--;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t thread[4];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&lock[i], 0);
    pthread_create(&thread[0], 0, worker, (void *)0L);
    pthread_create(&thread[1], 0, worker, (void *)1L);
    pthread_create(&thread[2], 0, worker, (void *)2L);
    pthread_create(&thread[3], 0, worker, (void *)3L);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], 0);
    return 0;
}
