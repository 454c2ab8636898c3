//! A local that has not changed since `setjmp`, or is `volatile`, has its value behind `longjmp`.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

static void goes_back(volatile int *count) {
    *count = 5;
    longjmp(place, 1);
}

int main(void) {
    int before = 3;
    volatile int count = 0, rounds = 0;
    if (setjmp(place) == 0) {
        rounds++;
        goes_back(&count);
    }
    assert(before == 3 && count == 5 && rounds == 1);
    return 0;
}
