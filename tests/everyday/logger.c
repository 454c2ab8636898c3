//! expect: true
//! A logger: two threads queue lines, one thread writes them; stopping writes what is still queued.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRODUCERS 2
#define LINES 1
#define TEXT 32

struct entry {
    struct entry *next;
    char text[TEXT];
};

struct logger {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct entry *first;
    struct entry **last;
    int stopping;
    int queued;
    int written;
    pthread_t writer;
};

struct producer {
    pthread_t thread;
    struct logger *log;
    int id;
};

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void log_line(struct logger *log, const char *who, int number)
{
    struct entry *e = malloc(sizeof *e);
    if (!e)
        die("malloc");
    snprintf(e->text, sizeof e->text, "%s: line %d", who, number);
    e->next = NULL;

    pthread_mutex_lock(&log->lock);
    *log->last = e;
    log->last = &e->next;
    log->queued++;
    pthread_cond_signal(&log->changed);
    pthread_mutex_unlock(&log->lock);
}

static void *writer_main(void *arg)
{
    struct logger *log = arg;

    pthread_mutex_lock(&log->lock);
    for (;;) {
        while (log->first == NULL && !log->stopping)
            pthread_cond_wait(&log->changed, &log->lock);
        if (log->first == NULL)
            break;
        struct entry *batch = log->first;
        log->first = NULL;
        log->last = &log->first;
        pthread_mutex_unlock(&log->lock);

        int n = 0;
        while (batch != NULL) {
            struct entry *next = batch->next;
            fputs(batch->text, stdout);
            fputc('\n', stdout);
            free(batch);
            batch = next;
            n++;
        }

        pthread_mutex_lock(&log->lock);
        log->written += n;
    }
    pthread_mutex_unlock(&log->lock);
    return NULL;
}

static struct logger *logger_start(void)
{
    struct logger *log = calloc(1, sizeof *log);
    if (!log)
        die("calloc");
    pthread_mutex_init(&log->lock, NULL);
    pthread_cond_init(&log->changed, NULL);
    log->last = &log->first;
    if (pthread_create(&log->writer, NULL, writer_main, log))
        die("pthread_create");
    return log;
}

static void logger_stop(struct logger *log)
{
    pthread_mutex_lock(&log->lock);
    log->stopping = 1;
    pthread_cond_signal(&log->changed);
    pthread_mutex_unlock(&log->lock);
    pthread_join(log->writer, NULL);
    pthread_mutex_destroy(&log->lock);
    pthread_cond_destroy(&log->changed);
    assert(log->written == log->queued);
    free(log);
}

static void *produce(void *arg)
{
    struct producer *p = arg;
    const char *who = p->id == 0 ? "reader" : "sender";

    for (int i = 0; i < LINES; i++)
        log_line(p->log, who, i);
    return NULL;
}

int main(void)
{
    struct logger *log = logger_start();
    struct producer producers[PRODUCERS];

    for (int i = 0; i < PRODUCERS; i++) {
        producers[i].log = log;
        producers[i].id = i;
        if (pthread_create(&producers[i].thread, NULL, produce, &producers[i]))
            die("pthread_create");
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i].thread, NULL);
    logger_stop(log);
    return 0;
}
