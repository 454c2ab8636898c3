//! From the address of a member the whole structure is found again.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <assert.h>
#include <stddef.h>

struct link { struct link *next; };
struct task { int id; struct link link; };

#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

int main(void) {
    struct task a = {1, {0}}, b = {2, {&a.link}};
    struct link *head = &b.link;
    assert(container_of(head, struct task, link)->id == 2);
    assert(container_of(head->next, struct task, link)->id == 1);
    return 0;
}
