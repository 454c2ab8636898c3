//! expect: true
//! A merge sort that sorts its left half in a new thread, recursively down to a depth.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 5
#define DEPTH 2

struct job {
    int *data;
    int *scratch;
    size_t count;
    int depth;
};

static void merge(int *data, size_t mid, size_t count, int *scratch)
{
    size_t left = 0, right = mid, out = 0;

    while (left < mid && right < count) {
        if (data[left] <= data[right])
            scratch[out++] = data[left++];
        else
            scratch[out++] = data[right++];
    }
    while (left < mid)
        scratch[out++] = data[left++];
    while (right < count)
        scratch[out++] = data[right++];
    memcpy(data, scratch, count * sizeof *data);
}

static void sort(struct job *job);

static void *sort_thread(void *arg)
{
    sort(arg);
    return NULL;
}

static void sort(struct job *job)
{
    if (job->count < 2)
        return;

    size_t mid = job->count / 2;
    struct job left = { job->data, job->scratch, mid, job->depth - 1 };
    struct job right = { job->data + mid, job->scratch + mid, job->count - mid, job->depth - 1 };

    if (job->depth > 0) {
        pthread_t thread;
        int rc = pthread_create(&thread, NULL, sort_thread, &left);
        if (rc != 0) {
            fprintf(stderr, "pthread_create: %s\n", strerror(rc));
            exit(EXIT_FAILURE);
        }
        sort(&right);
        pthread_join(thread, NULL);
        merge(job->data, mid, job->count, job->scratch);
    } else {
        sort(&left);
        sort(&right);
        merge(job->data, mid, job->count, job->scratch);
    }
}

static void parallel_sort(int *data, size_t count)
{
    int *scratch = malloc(count * sizeof *scratch);
    if (scratch == NULL) {
        perror("malloc");
        exit(EXIT_FAILURE);
    }
    struct job job = { data, scratch, count, DEPTH };
    sort(&job);
    free(scratch);
}

int main(void)
{
    static const int input[COUNT] = { 42, 7, 19, 3, 11 };
    int *data = malloc(sizeof input);

    if (data == NULL) {
        perror("malloc");
        return EXIT_FAILURE;
    }
    memcpy(data, input, sizeof input);
    parallel_sort(data, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        printf("%d%c", data[i], i + 1 < COUNT ? ' ' : '\n');
    for (size_t i = 1; i < COUNT; i++)
        assert(data[i - 1] <= data[i]);
    free(data);
    return 0;
}
