//! What a transparent union passes is written to: the port that the system chose is not the one from before.
//! expect: unreach-call false
//! gcc: skip needs a network
#define _GNU_SOURCE
#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

int main(void) {
    struct sockaddr_in address;
    socklen_t length = 4;
    memset(&address, 0, sizeof address);
    if (getsockname(3, (struct sockaddr *)&address, &length))
        return 1;
    assert(address.sin_port == 0); // violation: unreach-call
    return 0;
}
