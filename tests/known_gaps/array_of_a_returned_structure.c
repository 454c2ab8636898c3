//! Should be false(valid-deref), is true: the value of a call lives until its block ends, not its expression.
struct S { int a[2]; };
struct S f(void) { struct S s = {{1, 2}}; return s; }
int main(void) { int *p = f().a; return *p; }
