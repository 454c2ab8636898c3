/* indexer(64): 64 threads put 4 messages each into a hash table of 256 slots. */
#include <assert.h>
#include <pthread.h>

#define SIZE 256
#define MESSAGES 4
#define ENTRY 51 /* tried by 1 message(s) in every complete run */

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
    pthread_t thread[64];
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
    pthread_create(&thread[28], 0, worker, (void *)28L);
    pthread_create(&thread[29], 0, worker, (void *)29L);
    pthread_create(&thread[30], 0, worker, (void *)30L);
    pthread_create(&thread[31], 0, worker, (void *)31L);
    pthread_create(&thread[32], 0, worker, (void *)32L);
    pthread_create(&thread[33], 0, worker, (void *)33L);
    pthread_create(&thread[34], 0, worker, (void *)34L);
    pthread_create(&thread[35], 0, worker, (void *)35L);
    pthread_create(&thread[36], 0, worker, (void *)36L);
    pthread_create(&thread[37], 0, worker, (void *)37L);
    pthread_create(&thread[38], 0, worker, (void *)38L);
    pthread_create(&thread[39], 0, worker, (void *)39L);
    pthread_create(&thread[40], 0, worker, (void *)40L);
    pthread_create(&thread[41], 0, worker, (void *)41L);
    pthread_create(&thread[42], 0, worker, (void *)42L);
    pthread_create(&thread[43], 0, worker, (void *)43L);
    pthread_create(&thread[44], 0, worker, (void *)44L);
    pthread_create(&thread[45], 0, worker, (void *)45L);
    pthread_create(&thread[46], 0, worker, (void *)46L);
    pthread_create(&thread[47], 0, worker, (void *)47L);
    pthread_create(&thread[48], 0, worker, (void *)48L);
    pthread_create(&thread[49], 0, worker, (void *)49L);
    pthread_create(&thread[50], 0, worker, (void *)50L);
    pthread_create(&thread[51], 0, worker, (void *)51L);
    pthread_create(&thread[52], 0, worker, (void *)52L);
    pthread_create(&thread[53], 0, worker, (void *)53L);
    pthread_create(&thread[54], 0, worker, (void *)54L);
    pthread_create(&thread[55], 0, worker, (void *)55L);
    pthread_create(&thread[56], 0, worker, (void *)56L);
    pthread_create(&thread[57], 0, worker, (void *)57L);
    pthread_create(&thread[58], 0, worker, (void *)58L);
    pthread_create(&thread[59], 0, worker, (void *)59L);
    pthread_create(&thread[60], 0, worker, (void *)60L);
    pthread_create(&thread[61], 0, worker, (void *)61L);
    pthread_create(&thread[62], 0, worker, (void *)62L);
    pthread_create(&thread[63], 0, worker, (void *)63L);
    for (int i = 0; i < 64; i++)
        pthread_join(thread[i], 0);
    return 0;
}
