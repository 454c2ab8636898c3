#include <assert.h>
#include <unistd.h>

int main(void) {
    fork();
    assert(0);
    return 0;
}
