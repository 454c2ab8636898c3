//! expect: true
//! A simulation in phases: every worker computes its cell, then a barrier, one swaps the grids, a barrier again.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 3
#define ROUNDS 2

struct simulation {
    pthread_barrier_t barrier;
    int *current;
    int *next;
    int rounds_done;
};

struct worker {
    pthread_t thread;
    struct simulation *sim;
    int cell;
};

static void *checked_calloc(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (p == NULL) {
        perror("calloc");
        exit(EXIT_FAILURE);
    }
    return p;
}

static void simulation_init(struct simulation *sim)
{
    int rc = pthread_barrier_init(&sim->barrier, NULL, WORKERS);
    if (rc != 0) {
        fprintf(stderr, "pthread_barrier_init: %d\n", rc);
        exit(EXIT_FAILURE);
    }
    sim->current = checked_calloc(WORKERS, sizeof(int));
    sim->next = checked_calloc(WORKERS, sizeof(int));
    for (int i = 0; i < WORKERS; i++)
        sim->current[i] = i + 1;
    sim->rounds_done = 0;
}

static void simulation_destroy(struct simulation *sim)
{
    pthread_barrier_destroy(&sim->barrier);
    free(sim->current);
    free(sim->next);
}

static void compute_cell(struct simulation *sim, int cell)
{
    int left = sim->current[(cell + WORKERS - 1) % WORKERS];
    int right = sim->current[(cell + 1) % WORKERS];
    sim->next[cell] = left + right;
}

static void swap_grids(struct simulation *sim)
{
    int *old = sim->current;
    sim->current = sim->next;
    sim->next = old;
    sim->rounds_done++;
}

static void *worker_main(void *arg)
{
    struct worker *me = arg;
    struct simulation *sim = me->sim;

    for (int round = 0; round < ROUNDS; round++) {
        compute_cell(sim, me->cell);
        int rc = pthread_barrier_wait(&sim->barrier);
        if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
            swap_grids(sim);
        else if (rc != 0)
            abort();
        pthread_barrier_wait(&sim->barrier);
    }
    return NULL;
}

int main(void)
{
    struct simulation sim;
    struct worker *workers = checked_calloc(WORKERS, sizeof *workers);

    simulation_init(&sim);
    for (int i = 0; i < WORKERS; i++) {
        workers[i].sim = &sim;
        workers[i].cell = i;
        if (pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]) != 0) {
            perror("pthread_create");
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);

    assert(sim.rounds_done == ROUNDS);
    assert(sim.current[0] == 7 && sim.current[1] == 8 && sim.current[2] == 9);
    for (int i = 0; i < WORKERS; i++)
        printf("cell %d: %d\n", i, sim.current[i]);
    simulation_destroy(&sim);
    free(workers);
    return 0;
}
