//! expect: false(valid-deref)
//! The bounded queue, but the mask is its capacity, so that positions reach one past the cells.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPACITY 2      /* a power of two */
#define PAIRS 2
#define ITEMS 2         /* of every producer and consumer */

struct cell {
    atomic_size_t sequence;
    int item;
};

struct queue {
    struct cell *cells;
    size_t mask;
    atomic_size_t enqueue_at;
    atomic_size_t dequeue_at;
};

struct side {
    pthread_t thread;
    struct queue *queue;
    int id;
    int sum;
};

static void queue_init(struct queue *q, size_t capacity)
{
    q->cells = malloc(capacity * sizeof *q->cells);
    if (q->cells == NULL) {
        perror("malloc");
        exit(EXIT_FAILURE);
    }
    q->mask = capacity;
    for (size_t i = 0; i < capacity; i++)
        atomic_init(&q->cells[i].sequence, i);
    atomic_init(&q->enqueue_at, 0);
    atomic_init(&q->dequeue_at, 0);
}

static bool enqueue(struct queue *q, int item)
{
    size_t at = atomic_load_explicit(&q->enqueue_at, memory_order_relaxed);

    for (;;) {
        struct cell *c = &q->cells[at & q->mask];
        size_t seq = atomic_load_explicit(&c->sequence, memory_order_acquire);
        ptrdiff_t ahead = (ptrdiff_t)(seq - at);
        if (ahead == 0) {
            if (atomic_compare_exchange_weak_explicit(&q->enqueue_at, &at, at + 1,
                                                      memory_order_relaxed, memory_order_relaxed)) {
                c->item = item;
                atomic_store_explicit(&c->sequence, at + 1, memory_order_release);
                return true;
            }
        } else if (ahead < 0) {
            return false;       /* full */
        } else {
            at = atomic_load_explicit(&q->enqueue_at, memory_order_relaxed);
        }
    }
}

static bool dequeue(struct queue *q, int *item)
{
    size_t at = atomic_load_explicit(&q->dequeue_at, memory_order_relaxed);

    for (;;) {
        struct cell *c = &q->cells[at & q->mask];
        size_t seq = atomic_load_explicit(&c->sequence, memory_order_acquire);
        ptrdiff_t ahead = (ptrdiff_t)(seq - (at + 1));
        if (ahead == 0) {
            if (atomic_compare_exchange_weak_explicit(&q->dequeue_at, &at, at + 1,
                                                      memory_order_relaxed, memory_order_relaxed)) {
                *item = c->item;
                atomic_store_explicit(&c->sequence, at + q->mask + 1, memory_order_release);
                return true;
            }
        } else if (ahead < 0) {
            return false;       /* empty */
        } else {
            at = atomic_load_explicit(&q->dequeue_at, memory_order_relaxed);
        }
    }
}

static void *producer(void *arg)
{
    struct side *me = arg;
    for (int i = 0; i < ITEMS; i++)
        while (!enqueue(me->queue, me->id * ITEMS + i + 1))
            sched_yield();
    return NULL;
}

static void *consumer(void *arg)
{
    struct side *me = arg;
    for (int i = 0; i < ITEMS; i++) {
        int item;
        while (!dequeue(me->queue, &item))
            sched_yield();
        me->sum += item;
    }
    return NULL;
}

int main(void)
{
    struct queue q;
    struct side producers[PAIRS], consumers[PAIRS];
    int sum = 0;

    queue_init(&q, CAPACITY);
    for (int i = 0; i < PAIRS; i++) {
        producers[i] = (struct side){ .queue = &q, .id = i };
        consumers[i] = (struct side){ .queue = &q, .id = i };
        if (pthread_create(&producers[i].thread, NULL, producer, &producers[i]) != 0
            || pthread_create(&consumers[i].thread, NULL, consumer, &consumers[i]) != 0) {
            perror("pthread_create");
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < PAIRS; i++) {
        pthread_join(producers[i].thread, NULL);
        pthread_join(consumers[i].thread, NULL);
        sum += consumers[i].sum;
    }
    printf("sum %d\n", sum);
    assert(sum == PAIRS * ITEMS * (PAIRS * ITEMS + 1) / 2);
    free(q.cells);
    return 0;
}
