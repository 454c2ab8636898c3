//! Within the expression, also that of a condition or a loop's step, the array of a returned structure can be read.
//! expect: valid-memsafety true
//! expect: unreach-call true
#include <assert.h>

struct row {
    int cell[2];
};

static struct row make(int first) {
    struct row made = {{first, 2}};
    return made;
}

static int read(const int *cell) { return cell[0] + cell[1]; }

int main(void) {
    int all = 0;
    for (int i = 0; i < make(2).cell[0]; i += make(1).cell[0])
        if (make(i).cell[({ all += 1; 1; })] == 2)
            all += read(make(i).cell);
    assert(all == 2 + 2 + 3);
    return 0;
}
