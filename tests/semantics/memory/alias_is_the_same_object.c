//! A variable that is another name for a variable, by `alias` or by its label, is the same object.
//! expect: unreach-call true
#include <assert.h>

int first = 1;
extern int second __attribute__((alias("first")));
extern int third __asm__("first");

int main(void) {
    second = 2;
    assert(first == 2);
    third = 3;
    assert(first == 3);
    return 0;
}
