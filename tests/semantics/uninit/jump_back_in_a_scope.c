//! A jump back within a scope keeps its variables.
//! expect: no-uninit true
int main(void) {
    int n = 0, x = 1;
again:
    if (x && n++ < 2)
        goto again;
    return n == 0;
}
