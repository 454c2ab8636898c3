//! Where eight bytes are aligned to four, a member at an unknown index is no multiple of its size away from the beginning.
//! expect: unreach-call false
//! data-model: ILP32

void __VERIFIER_error(void);
int __VERIFIER_nondet_int(void);

struct entry {
    int tag;
    long long value;
};

struct entry table[3];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i != 0 && i != 2)
        return 0;
    table[i].value = 7;
    if (table[i].value != 0)
        __VERIFIER_error(); // violation: unreach-call
    return 0;
}
