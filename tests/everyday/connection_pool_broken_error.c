//! expect: false(no-deadlock)
//! The pool of connections, but a failed query keeps its connection.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define CONNECTIONS 2
#define CLIENTS 3
#define QUERIES 2

struct connection {
    int id;
    int queries;
    bool broken;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t idle_changed;
    struct connection **idle;
    int nidle;
    int capacity;
};

struct client {
    pthread_t thread;
    struct pool *pool;
    int id;
    int errors;
};

static void fail(const char *what)
{
    fprintf(stderr, "%s failed\n", what);
    exit(EXIT_FAILURE);
}

static struct pool *pool_open(int capacity)
{
    struct pool *p = malloc(sizeof *p);
    if (p == NULL)
        fail("malloc");
    p->idle = malloc(capacity * sizeof *p->idle);
    if (p->idle == NULL)
        fail("malloc");
    if (pthread_mutex_init(&p->lock, NULL) || pthread_cond_init(&p->idle_changed, NULL))
        fail("init");
    p->capacity = capacity;
    for (p->nidle = 0; p->nidle < capacity; p->nidle++) {
        struct connection *c = calloc(1, sizeof *c);
        if (c == NULL)
            fail("calloc");
        c->id = p->nidle;
        p->idle[p->nidle] = c;
    }
    return p;
}

static struct connection *pool_acquire(struct pool *p)
{
    struct connection *c;

    pthread_mutex_lock(&p->lock);
    while (p->nidle == 0)
        pthread_cond_wait(&p->idle_changed, &p->lock);
    c = p->idle[--p->nidle];
    pthread_mutex_unlock(&p->lock);
    return c;
}

static void pool_release(struct pool *p, struct connection *c)
{
    pthread_mutex_lock(&p->lock);
    p->idle[p->nidle++] = c;
    pthread_cond_signal(&p->idle_changed);
    pthread_mutex_unlock(&p->lock);
}

static int pool_close(struct pool *p)
{
    int queries = 0;

    assert(p->nidle == p->capacity);
    while (p->nidle > 0) {
        struct connection *c = p->idle[--p->nidle];
        queries += c->queries;
        free(c);
    }
    pthread_cond_destroy(&p->idle_changed);
    pthread_mutex_destroy(&p->lock);
    free(p->idle);
    free(p);
    return queries;
}

static int query(struct connection *c, int value)
{
    c->queries++;
    return value % 2 == 0 ? 0 : -1;
}

static int client_query(struct client *me, int value)
{
    struct connection *c = pool_acquire(me->pool);

    if (query(c, value) != 0) {
        me->errors++;
        return -1;
    }
    pool_release(me->pool, c);
    return 0;
}

static void *client_main(void *arg)
{
    struct client *me = arg;

    for (int i = 0; i < QUERIES; i++)
        client_query(me, me->id + i);
    return NULL;
}

int main(void)
{
    struct pool *pool = pool_open(CONNECTIONS);
    struct client clients[CLIENTS];
    int errors = 0;

    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = (struct client){ .pool = pool, .id = i };
        if (pthread_create(&clients[i].thread, NULL, client_main, &clients[i]) != 0)
            fail("pthread_create");
    }
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i].thread, NULL);
        errors += clients[i].errors;
    }
    assert(errors == CLIENTS * QUERIES / 2);
    int queries = pool_close(pool);
    assert(queries == CLIENTS * QUERIES);
    printf("%d queries, %d errors\n", queries, errors);
    return 0;
}
