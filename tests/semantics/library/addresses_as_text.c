//! Addresses of IPv4 as text, there and back; nothing is written for what is none.
//! expect: unreach-call true
//! expect: valid-memsafety true
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

int main(void) {
    struct in_addr address = {7};
    char text[INET_ADDRSTRLEN];
    assert(inet_pton(AF_INET, "10.0.200", &address) == 0 && address.s_addr == 7);
    assert(inet_pton(AF_INET, "10.0.0.200", &address) == 1 && address.s_addr == htonl(0x0a0000c8));
    assert(inet_ntop(AF_INET, &address, text, sizeof text) && strcmp(text, "10.0.0.200") == 0);
    assert(inet_ntop(AF_INET, &address, text, 10) == 0);
    assert(inet_aton("10.200", &address) == 1 && address.s_addr == htonl(0x0a0000c8));
    return 0;
}
