//! A structure that a function writes in part, the first time only.
//! expect: no-uninit false
//! gcc: skip it branches on an uninitialised value

struct pair {
    long a, b;
};

static void fill(struct pair *p, int n) {
    p->a = n;
    if (n == 0)
        p->b = n + 1;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct pair p;
        fill(&p, i);
        if (p.b == 7) // violation: no-uninit
            return 1;
    }
    return 0;
}
