//! A function that is declared with the label of another is that one.
//! expect: unreach-call true
#include <assert.h>

int three(void);
int three(void) { return 3; }
int other(void) __asm__("three");

int main(void) {
    assert(other() == 3);
    return 0;
}
