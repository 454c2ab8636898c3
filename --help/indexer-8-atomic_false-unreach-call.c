/* indexer(8): 8 threads put 4 messages each into a hash table of 128 slots. */
#include <assert.h>
#include <pthread.h>

#define SIZE 128
#define MESSAGES 4
#define ENTRY 26 /* tried by 2 message(s) in every complete run */

int table[SIZE];

static int cas(int slot, int expected, int desired)
{
    return __sync_bool_compare_and_swap(&table[slot], expected, desired);
}

static void *worker(void *argument)
{
    int tid = (int)(long)argument;
    int m = 0;
    while (m < MESSAGES) {
        int w = (++m) * 11 + tid;
        int h = (w * 7) % SIZE;
        while (!cas(h, 0, w)) {
            assert(h != ENTRY);
            h = (h + 1) % SIZE;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t thread[8];
    pthread_create(&thread[0], 0, worker, (void *)0L);
    pthread_create(&thread[1], 0, worker, (void *)1L);
    pthread_create(&thread[2], 0, worker, (void *)2L);
    pthread_create(&thread[3], 0, worker, (void *)3L);
    pthread_create(&thread[4], 0, worker, (void *)4L);
    pthread_create(&thread[5], 0, worker, (void *)5L);
    pthread_create(&thread[6], 0, worker, (void *)6L);
    pthread_create(&thread[7], 0, worker, (void *)0L);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], 0);
    return 0;
}
