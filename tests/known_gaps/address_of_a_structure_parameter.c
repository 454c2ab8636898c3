//! Should be false(valid-deref), is true: a structure parameter outlives its function (it lies in the caller).
struct S { int a; };
int *f(struct S s) {
    return &s.a; }
int main(void) { struct S v = {1}; int *p = f(v); return *p; }
