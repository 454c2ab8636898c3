//! glibc declares addresses of sockets as transparent unions: any of their pointers is passed as it is.
//! expect: unreach-call true
//! expect: valid-memsafety true
//! expect: no-uninit true
//! gcc: skip needs a network
#define _GNU_SOURCE
#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

int main(void) {
    struct sockaddr_in address;
    socklen_t length = 1;
    memset(&address, 0, sizeof address);
    if (bind(3, (struct sockaddr *)&address, sizeof address))
        return 1;
    if (getsockname(3, &address, &length))
        return 1;
    assert(length <= sizeof address);
    assert(address.sin_addr.s_addr == 0);
    return 0;
}
