//! expect: false(unreach-call)
//! The free list, but the counter beside the head never changes (ABA).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFERS 2
#define NONE UINT32_MAX

struct buffer {
    _Atomic uint32_t next;
    int owner;
    int payload;
};

struct free_list {
    _Atomic uint64_t head;      /* the counter above, the index below */
    struct buffer *buffers;
};

struct user {
    pthread_t thread;
    struct free_list *list;
    int id;
    int got;
};

static uint64_t pack(uint32_t counter, uint32_t index)
{
    return (uint64_t)counter << 32 | index;
}

static uint32_t index_of(uint64_t head) { return (uint32_t)head; }
static uint32_t counter_of(uint64_t head) { return (uint32_t)(head >> 32); }

static void list_init(struct free_list *l, uint32_t count)
{
    l->buffers = calloc(count, sizeof *l->buffers);
    if (l->buffers == NULL) {
        perror("calloc");
        exit(EXIT_FAILURE);
    }
    for (uint32_t i = 0; i < count; i++) {
        atomic_init(&l->buffers[i].next, i + 1 < count ? i + 1 : NONE);
        l->buffers[i].owner = -1;
    }
    atomic_init(&l->head, pack(0, 0));
}

static struct buffer *list_get(struct free_list *l)
{
    uint64_t old = atomic_load_explicit(&l->head, memory_order_acquire);
    uint64_t new;

    do {
        if (index_of(old) == NONE)
            return NULL;
        uint32_t next = atomic_load_explicit(&l->buffers[index_of(old)].next, memory_order_relaxed);
        new = pack(counter_of(old), next);
    } while (!atomic_compare_exchange_weak_explicit(&l->head, &old, new, memory_order_acquire,
                                                    memory_order_acquire));
    return &l->buffers[index_of(old)];
}

static void list_put(struct free_list *l, struct buffer *b)
{
    uint32_t index = (uint32_t)(b - l->buffers);
    uint64_t old = atomic_load_explicit(&l->head, memory_order_relaxed);
    uint64_t new;

    do {
        atomic_store_explicit(&b->next, index_of(old), memory_order_relaxed);
        new = pack(counter_of(old), index);
    } while (!atomic_compare_exchange_weak_explicit(&l->head, &old, new, memory_order_release,
                                                    memory_order_relaxed));
}

static struct buffer *take(struct user *me)
{
    struct buffer *b = list_get(me->list);
    if (b != NULL) {
        assert(b->owner == -1);
        b->owner = me->id;
        b->payload = 0;
        me->got++;
    }
    return b;
}

static void give_back(struct user *me, struct buffer *b)
{
    assert(b->owner == me->id);
    b->payload++;
    b->owner = -1;
    list_put(me->list, b);
}

static void *use(void *arg)
{
    struct user *me = arg;
    struct buffer *first = take(me);
    struct buffer *second = take(me);

    if (first != NULL)
        give_back(me, first);
    if (me->id == 0)
        first = take(me);
    else
        first = NULL;
    if (second != NULL)
        give_back(me, second);
    if (first != NULL)
        give_back(me, first);
    return NULL;
}

int main(void)
{
    struct free_list list;
    struct user users[2];
    uint32_t count = 0;

    list_init(&list, BUFFERS);
    for (int i = 0; i < 2; i++) {
        users[i] = (struct user){ .list = &list, .id = i };
        if (pthread_create(&users[i].thread, NULL, use, &users[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(users[i].thread, NULL);
    for (uint32_t i = index_of(list.head); i != NONE; i = list.buffers[i].next)
        count++;
    printf("%d and %d buffers used, %u in the list\n", users[0].got, users[1].got, count);
    assert(count == BUFFERS);
    free(list.buffers);
    return 0;
}
