//! container_of on a link that is in no such structure reads outside its object.
//! expect: valid-memsafety false(valid-deref)
#include <stddef.h>

struct link { struct link *next; };
struct task { int id; struct link link; };

#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

static struct link lonely;

int main(void) {
    struct link *volatile link = &lonely;
    return container_of(link, struct task, link)->id; // violation: valid-memsafety
}
