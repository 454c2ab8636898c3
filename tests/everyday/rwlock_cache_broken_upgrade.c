//! expect: false(no-deadlock)
//! The cache, but a miss asks for the write lock while it holds the read lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CLIENTS 2
#define LOOKUPS 2

struct entry {
    int key;
    int value;
    struct entry *next;
};

struct cache {
    pthread_rwlock_t lock;
    struct entry *entries;
    int size;
    atomic_int hits;
};

struct client {
    pthread_t thread;
    struct cache *cache;
    int first_key;
};

static int compute(int key)
{
    return key * 10 + 1;
}

static struct cache *cache_new(void)
{
    struct cache *c = malloc(sizeof *c);
    if (c == NULL) {
        perror("malloc");
        exit(1);
    }
    if (pthread_rwlock_init(&c->lock, NULL) != 0) {
        fprintf(stderr, "no lock\n");
        exit(1);
    }
    c->entries = NULL;
    c->size = 0;
    atomic_init(&c->hits, 0);
    return c;
}

static void cache_free(struct cache *c)
{
    struct entry *e = c->entries;
    while (e != NULL) {
        struct entry *next = e->next;
        free(e);
        e = next;
    }
    pthread_rwlock_destroy(&c->lock);
    free(c);
}

/* The caller holds the lock. */
static struct entry *find(struct cache *c, int key)
{
    for (struct entry *e = c->entries; e != NULL; e = e->next)
        if (e->key == key)
            return e;
    return NULL;
}

static int cache_get(struct cache *c, int key)
{
    int value;
    struct entry *e;

    pthread_rwlock_rdlock(&c->lock);
    e = find(c, key);
    if (e != NULL) {
        value = e->value;
        c->hits++;
        pthread_rwlock_unlock(&c->lock);
        return value;
    }

    pthread_rwlock_wrlock(&c->lock);
    e = find(c, key);
    if (e == NULL) {
        e = malloc(sizeof *e);
        if (e == NULL) {
            perror("malloc");
            exit(1);
        }
        e->key = key;
        e->value = compute(key);
        e->next = c->entries;
        c->entries = e;
        c->size++;
    }
    value = e->value;
    pthread_rwlock_unlock(&c->lock);
    return value;
}

static void *client_main(void *arg)
{
    struct client *me = arg;

    for (int i = 0; i < LOOKUPS; i++) {
        int key = (me->first_key + i) % 2;
        int value = cache_get(me->cache, key);
        assert(value == compute(key));
    }
    return NULL;
}

int main(void)
{
    struct cache *cache = cache_new();
    struct client clients[CLIENTS];

    for (int i = 0; i < CLIENTS; i++) {
        clients[i].cache = cache;
        clients[i].first_key = i;
        if (pthread_create(&clients[i].thread, NULL, client_main, &clients[i]) != 0) {
            perror("pthread_create");
            exit(1);
        }
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i].thread, NULL);

    assert(cache->size == 2);
    printf("%d entries, %d hits\n", cache->size, atomic_load(&cache->hits));
    cache_free(cache);
    return 0;
}
