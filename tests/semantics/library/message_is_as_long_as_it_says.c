//! `mq_receive` writes as many bytes as it returns.
//! expect: no-uninit true
//! expect: valid-memsafety true
//! gcc: skip waits for a message
#include <mqueue.h>

int main(void) {
    char text[2];
    unsigned priority;
    if (mq_receive(3, text, sizeof text, &priority) < 1)
        return 0;
    return text[0] == 'a' || priority > 4 ? 1 : 0;
}
