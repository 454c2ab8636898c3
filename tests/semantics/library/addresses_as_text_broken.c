//! `inet_pton` does not take a number with a leading zero.
//! expect: unreach-call false
#include <arpa/inet.h>
#include <assert.h>

int main(void) {
    struct in_addr address;
    assert(inet_pton(AF_INET, "10.0.0.01", &address) == 1); // violation: unreach-call
    return 0;
}
