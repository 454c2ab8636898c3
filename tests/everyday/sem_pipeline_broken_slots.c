//! expect: false(no-data-race, unreach-call)
//! The pipeline, but a ring admits one item more than it has slots.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 2
#define END (-1)

struct ring {
    int slot[SLOTS];
    unsigned head;      /* only the reading stage */
    unsigned tail;      /* only the writing stage */
    sem_t empty;
    sem_t filled;
};

struct pipeline {
    struct ring input;
    struct ring output;
    int dropped;
    int sum;
};

static void down(sem_t *s)
{
    while (sem_wait(s) != 0) {
        if (errno != EINTR) {
            perror("sem_wait");
            exit(EXIT_FAILURE);
        }
    }
}

static void ring_init(struct ring *r)
{
    r->head = 0;
    r->tail = 0;
    if (sem_init(&r->empty, 0, SLOTS + 1) != 0 || sem_init(&r->filled, 0, 0) != 0) {
        perror("sem_init");
        exit(EXIT_FAILURE);
    }
}

static void ring_destroy(struct ring *r)
{
    sem_destroy(&r->empty);
    sem_destroy(&r->filled);
}

static void ring_put(struct ring *r, int item)
{
    down(&r->empty);
    r->slot[r->tail++ % SLOTS] = item;
    sem_post(&r->filled);
}

/* The oldest item; it stays in its slot until ring_release. */
static int ring_peek(struct ring *r)
{
    down(&r->filled);
    return r->slot[r->head % SLOTS];
}

static void ring_release(struct ring *r)
{
    r->head++;
    sem_post(&r->empty);
}

static void *source(void *arg)
{
    static const int items[] = { 3, 200, 300, 4 };
    struct pipeline *p = arg;

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        ring_put(&p->input, items[i]);
    ring_put(&p->input, END);
    return NULL;
}

static void *transform(void *arg)
{
    struct pipeline *p = arg;

    for (;;) {
        int item = ring_peek(&p->input);
        if (item > 100) {
            p->dropped++;
            ring_release(&p->input);
            continue;
        }
        ring_put(&p->output, item == END ? END : item * 2);
        ring_release(&p->input);
        if (item == END)
            return NULL;
    }
}

static void *sink(void *arg)
{
    struct pipeline *p = arg;

    for (;;) {
        int item = ring_peek(&p->output);
        ring_release(&p->output);
        if (item == END)
            return NULL;
        p->sum += item;
    }
}

int main(void)
{
    void *(*stages[])(void *) = { source, transform, sink };
    pthread_t threads[3];
    struct pipeline *p = calloc(1, sizeof *p);

    if (p == NULL) {
        perror("calloc");
        return EXIT_FAILURE;
    }
    ring_init(&p->input);
    ring_init(&p->output);
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, stages[i], p) != 0) {
            perror("pthread_create");
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("sum %d, dropped %d\n", p->sum, p->dropped);
    assert(p->sum == 14);
    assert(p->dropped == 2);
    ring_destroy(&p->input);
    ring_destroy(&p->output);
    free(p);
    return 0;
}
