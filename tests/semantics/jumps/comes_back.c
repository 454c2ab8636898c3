//! `longjmp` comes back from `setjmp` with its value, and with 1 instead of 0.
//! expect: unreach-call true
//! expect: no-uninit true
//! expect: no-deadlock true
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
static int times;

static void goes_back(int value) { longjmp(place, value); }

int main(void) {
    switch (setjmp(place)) {
    case 0:
        times++;
        goes_back(7);
        break;
    case 7:
        times++;
        goes_back(0);
        break;
    case 1:
        times++;
        break;
    default:
        assert(0);
    }
    assert(times == 3);
    return 0;
}
