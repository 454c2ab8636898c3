#include <sys/epoll.h>
int main(void) {
    int ep = epoll_create1(0);
    if (ep < 0) return 0;
    struct epoll_event o;
    epoll_wait(ep, &o, 1, -1);
    return 0;
}
