//! `epoll_wait` writes as many events as it says, each with what was registered for it.
//! expect: unreach-call true
//! expect: valid-memsafety true
//! expect: no-uninit true
//! gcc: skip waits for nothing
#include <assert.h>
#include <sys/epoll.h>

static int watched;

int main(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &watched}, found[2];
    if (epoll_ctl(3, EPOLL_CTL_ADD, 4, &event))
        return 1;
    int count = epoll_wait(3, found, 2, 0);
    assert(count <= 1);
    for (int i = 0; i < count; i++) {
        assert(found[i].data.ptr == &watched);
        *(int *)found[i].data.ptr = 1;
    }
    return 0;
}
