//! A loop joins the threads whose handles lie in structures beside what the threads write.
//! expect: no-data-race true
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>

#define N 3

struct worker {
    pthread_t thread;
    int id;
    int result;
};

static void *work(void *arg) {
    struct worker *me = arg;
    me->result = me->id + 1;
    return 0;
}

int main(void) {
    struct worker all[N];
    int sum = 0;
    for (int i = 0; i < N; i++) {
        all[i] = (struct worker){.id = i};
        pthread_create(&all[i].thread, 0, work, &all[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(all[i].thread, 0);
    for (int i = 0; i < N; i++)
        sum += all[i].result;
    assert(sum == 6);
    return 0;
}
