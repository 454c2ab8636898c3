//! What stands behind `setjmp` happens again.
//! expect: unreach-call false
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
static int times;

int main(void) {
    int came = setjmp(place);
    times++;
    if (!came)
        longjmp(place, 1);
    assert(times == 1); // violation: unreach-call
    return 0;
}
