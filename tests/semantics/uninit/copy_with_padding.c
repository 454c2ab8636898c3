//! Copying a record word by word, padding included, does not make its written members uninitialised.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>
#include <string.h>

struct pair {
    char tag;
    long value;
};

int main(void) {
    struct pair from, to;
    from.tag = 1;
    from.value = 2;
    memcpy(&to, &from, sizeof to);
    if (to.tag)
        assert(to.value == 2);
    return 0;
}
