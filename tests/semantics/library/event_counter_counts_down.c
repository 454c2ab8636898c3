//! With EFD_SEMAPHORE, every read takes one. A third one waits for ever.
//! expect: unreach-call true
//! expect: no-deadlock false
//! gcc: skip blocks by design
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <stdint.h>
#include <sys/eventfd.h>

int main(void) {
    uint64_t got;
    int counter = eventfd(2, EFD_SEMAPHORE);
    assert(read(counter, &got, sizeof got) == sizeof got && got == 1);
    assert(read(counter, &got, sizeof got) == sizeof got && got == 1);
    read(counter, &got, sizeof got); // violation: no-deadlock
    assert(0);
    return 0;
}
