//! One of the divisors of a quotient of vectors is zero.
//! expect: no-div-zero false
typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, 2, 3, 4}, b = {1, 1, 0, 1};
    v4 c = a / b; // violation: no-div-zero
    return c[0] != 1;
}
