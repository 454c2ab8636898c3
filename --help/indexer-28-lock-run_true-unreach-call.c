/* indexer(28): 28 threads put 4 messages each into a hash table of 128 slots. */
#include <assert.h>
#include <pthread.h>

#define SIZE 128
#define MESSAGES 4
#define ENTRY 2 /* tried by 1 message(s) in every complete run */

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

static const int probes[28][MESSAGES] = {
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {1, 1, 1, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {2, 2, 2, 1},
    {4, 5, 2, 1},
    {4, 5, 2, 1},
    {4, 5, 2, 1},
    {4, 7, 2, 1},
    {4, 7, 2, 2},
    {4, 7, 2, 2},
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
    pthread_t thread[28];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&lock[i], 0);
    pthread_create(&thread[0], 0, worker, (void *)0L);
    pthread_create(&thread[1], 0, worker, (void *)1L);
    pthread_create(&thread[2], 0, worker, (void *)2L);
    pthread_create(&thread[3], 0, worker, (void *)3L);
    pthread_create(&thread[4], 0, worker, (void *)4L);
    pthread_create(&thread[5], 0, worker, (void *)5L);
    pthread_create(&thread[6], 0, worker, (void *)6L);
    pthread_create(&thread[7], 0, worker, (void *)7L);
    pthread_create(&thread[8], 0, worker, (void *)8L);
    pthread_create(&thread[9], 0, worker, (void *)9L);
    pthread_create(&thread[10], 0, worker, (void *)10L);
    pthread_create(&thread[11], 0, worker, (void *)11L);
    pthread_create(&thread[12], 0, worker, (void *)12L);
    pthread_create(&thread[13], 0, worker, (void *)13L);
    pthread_create(&thread[14], 0, worker, (void *)14L);
    pthread_create(&thread[15], 0, worker, (void *)15L);
    pthread_create(&thread[16], 0, worker, (void *)16L);
    pthread_create(&thread[17], 0, worker, (void *)17L);
    pthread_create(&thread[18], 0, worker, (void *)18L);
    pthread_create(&thread[19], 0, worker, (void *)19L);
    pthread_create(&thread[20], 0, worker, (void *)20L);
    pthread_create(&thread[21], 0, worker, (void *)21L);
    pthread_create(&thread[22], 0, worker, (void *)22L);
    pthread_create(&thread[23], 0, worker, (void *)23L);
    pthread_create(&thread[24], 0, worker, (void *)24L);
    pthread_create(&thread[25], 0, worker, (void *)25L);
    pthread_create(&thread[26], 0, worker, (void *)26L);
    pthread_create(&thread[27], 0, worker, (void *)27L);
    for (int i = 0; i < 28; i++)
        pthread_join(thread[i], 0);
    return 0;
}
