//! An element behind the last one is outside of the vector.
//! expect: valid-memsafety false(valid-deref)
typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, 2, 3, 4};
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += a[i]; // violation: valid-memsafety
    return sum == 10;
}
