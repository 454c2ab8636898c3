//! Two threads push nodes on a list that main takes apart.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void *push(void *arg) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    int sum = 0;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, push, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (head) {
        struct node *node = head;
        sum += node->value;
        head = node->next;
        free(node);
    }
    assert(sum == 2);
    return 0;
}
