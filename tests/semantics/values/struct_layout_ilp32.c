//! On ILP32 a long long or double member is aligned to 4 bytes.
//! expect: unreach-call true
//! data-model: ILP32
extern void reach_error(void);

struct mixed { char c; long long x; char d; double y; };
struct aligned { char c; long long x __attribute__((aligned(8))); };

int main(void) {
    if (__builtin_offsetof(struct mixed, x) != 4 || __builtin_offsetof(struct mixed, y) != 16)
        reach_error();
    if (sizeof(struct mixed) != 24 || sizeof(struct aligned) != 16)
        reach_error();
    return 0;
}
