//! Should be false(valid-deref), is true: the value of an assignment is taken for its variable.
struct S { int a[2]; }; struct S u, v;
int main(void) { int *p = (u = v).a; return *p; }
