//! expect: true
//! A hash map whose buckets are guarded by fewer locks than there are buckets.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 4
#define STRIPES 2
#define WORKERS 2

struct node {
    unsigned key;
    int value;
    struct node *next;
};

struct stripe {
    pthread_mutex_t lock;
    int size;
};

struct map {
    struct node *buckets[BUCKETS];
    struct stripe stripes[STRIPES];
};

struct worker {
    pthread_t thread;
    struct map *map;
    unsigned id;
};

static unsigned hash(unsigned key) { return (key * 2654435761u) >> 28; }

static struct map *map_new(void)
{
    struct map *m = malloc(sizeof *m);
    if (m == NULL)
        exit(EXIT_FAILURE);
    for (int i = 0; i < BUCKETS; i++)
        m->buckets[i] = NULL;
    for (int i = 0; i < STRIPES; i++) {
        pthread_mutex_init(&m->stripes[i].lock, NULL);
        m->stripes[i].size = 0;
    }
    return m;
}

static void map_free(struct map *m)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct node *n = m->buckets[i], *next; n != NULL; n = next) {
            next = n->next;
            free(n);
        }
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(&m->stripes[i].lock);
    free(m);
}

static void map_add(struct map *m, unsigned key, int amount)
{
    unsigned h = hash(key);
    struct stripe *s = &m->stripes[h % STRIPES];
    struct node **bucket = &m->buckets[h % BUCKETS];
    struct node *n;

    pthread_mutex_lock(&s->lock);
    for (n = *bucket; n != NULL; n = n->next)
        if (n->key == key)
            break;
    if (n == NULL) {
        n = malloc(sizeof *n);
        if (n == NULL)
            exit(EXIT_FAILURE);
        n->key = key;
        n->value = 0;
        n->next = *bucket;
        *bucket = n;
        s->size++;
    }
    n->value += amount;
    pthread_mutex_unlock(&s->lock);
}

static bool map_remove(struct map *m, unsigned key, int *value)
{
    unsigned h = hash(key);
    struct stripe *s = &m->stripes[h % STRIPES];
    bool found = false;

    pthread_mutex_lock(&s->lock);
    for (struct node **link = &m->buckets[h % BUCKETS]; *link != NULL; link = &(*link)->next) {
        struct node *n = *link;
        if (n->key == key) {
            *value = n->value;
            *link = n->next;
            free(n);
            s->size--;
            found = true;
            break;
        }
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static int map_size(struct map *m)
{
    int size = 0;
    for (int i = 0; i < STRIPES; i++) {
        pthread_mutex_lock(&m->stripes[i].lock);
        size += m->stripes[i].size;
        pthread_mutex_unlock(&m->stripes[i].lock);
    }
    return size;
}

static void *worker_main(void *arg)
{
    struct worker *me = arg;
    int value = 0;

    map_add(me->map, 10, 5);
    map_add(me->map, 20 + 2 * me->id, 1);
    if (map_remove(me->map, 20 + 2 * me->id, &value))
        assert(value == 1);
    return NULL;
}

int main(void)
{
    struct map *map = map_new();
    struct worker workers[WORKERS];
    int total = 0;

    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i].map = map;
        workers[i].id = i;
        if (pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);

    assert(map_size(map) == 1);
    bool found = map_remove(map, 10, &total);
    assert(found && total == 5 * WORKERS);
    printf("total %d\n", total);
    map_free(map);
    return 0;
}
