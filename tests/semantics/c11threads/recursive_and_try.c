//! A recursive C11 mutex can be taken again; a plain one tells thrd_busy.
//! expect: unreach-call true
//! expect: no-deadlock true
#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t plain, recursive;
    mtx_init(&plain, mtx_plain);
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    assert(mtx_lock(&plain) == thrd_success);
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success);
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    mtx_unlock(&plain);
    return 0;
}
