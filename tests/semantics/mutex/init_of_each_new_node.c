//! Each node has a mutex of its own, initialised when it is made, while those of earlier nodes are held.
//! expect: valid-sync true
//! expect: no-deadlock true
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    struct node *next;
};

static struct node *make(struct node *next) {
    struct node *made = malloc(sizeof *made);
    pthread_mutex_init(&made->lock, 0);
    made->next = next;
    return made;
}

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 2; i++) {
        list = make(list);
        pthread_mutex_lock(&list->lock);
    }
    while (list) {
        struct node *next = list->next;
        pthread_mutex_unlock(&list->lock);
        pthread_mutex_destroy(&list->lock);
        free(list);
        list = next;
    }
    return 0;
}
