//! A thread that exchanges the handles of two others makes the loop join one of them twice.
//! expect: no-data-race false
#include <pthread.h>
#include <unistd.h>

#define N 2

struct worker {
    int id;
    pthread_t thread;
};

static struct worker all[N];
static int shared;

static void *work(void *arg) {
    struct worker *me = arg;
    if (me->id == 0)
        shared = 1; // violation: no-data-race
    else
        me[-1].thread = me->thread; // violation: no-data-race
    return 0;
}

int main(void) {
    for (int i = 0; i < N; i++) {
        all[i].id = i;
        pthread_create(&all[i].thread, 0, work, &all[i]); // violation: no-data-race
    }
    for (int i = 0; i < N; i++)
        pthread_join(all[i].thread, 0); // violation: no-data-race
    shared = 2; // violation: no-data-race
    return 0;
}
