//! Who clears the handle of the thread before this one does not join it.
//! expect: no-data-race false
#include <pthread.h>

#define N 2

struct worker {
    pthread_t thread;
    int id;
};

static int shared;

static void *work(void *arg) {
    struct worker *me = arg;
    if (me->id == 0)
        shared = 1; // violation: no-data-race
    return 0;
}

int main(void) {
    struct worker all[N + 1];
    pthread_t first = 0;
    for (int i = 0; i < N; i++) {
        all[i].id = i;
        pthread_create(&all[i].thread, 0, work, &all[i]);
        if (i == 0)
            first = all[0].thread;
        else
            all[i - 1].thread = all[i].thread;
    }
    for (int i = 1; i < N; i++)
        pthread_join(all[i].thread, 0);
    shared = 2; // violation: no-data-race
    pthread_join(first, 0);
    return 0;
}
