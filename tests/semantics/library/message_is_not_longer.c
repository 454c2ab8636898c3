//! A byte behind the message that `mq_receive` returned was not written.
//! expect: no-uninit false
//! gcc: skip waits for a message
#include <mqueue.h>

int main(void) {
    char text[2];
    if (mq_receive(3, text, sizeof text, 0) < 1)
        return 0;
    return text[1] == 'a' ? 1 : 0; // violation: no-uninit
}
