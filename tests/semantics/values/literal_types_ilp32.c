//! On ILP32 the literal 2147483648 is a long long, 4294967295u an unsigned int, and size_t has 32 bits.
//! expect: unreach-call true
//! expect: no-overflow true
//! data-model: ILP32
extern void reach_error(void);

int main(void) {
    if (sizeof 2147483648 != 8 || -2147483648 > 0)
        reach_error();
    if (4294967295u + 1u != 0 || 0xffffffff + 1 != 0)
        reach_error();
    if (sizeof(sizeof(int)) != 4 || -1L < sizeof(int))
        reach_error();
    return 0;
}
