//! Globals are roots at the end, and what they reach through the heap is tracked too.
//! expect: valid-memsafety true
#include <stdlib.h>

struct node { struct node *next; };
static struct node *head;

int main(void) {
    head = malloc(sizeof *head);
    head->next = malloc(sizeof *head);
    head->next->next = 0;
    return 0;
}
