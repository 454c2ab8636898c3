//! An event that `epoll_wait` did not count was not written.
//! expect: no-uninit false
//! gcc: skip waits for nothing
#include <sys/epoll.h>

int main(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 1}, found[2];
    if (epoll_ctl(3, EPOLL_CTL_ADD, 4, &event))
        return 1;
    epoll_wait(3, found, 2, 0);
    if (found[0].events & EPOLLIN) // violation: no-uninit
        return 1;
    return 0;
}
