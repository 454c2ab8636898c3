//! A structure that a function writes whole before anything reads it.
//! expect: no-uninit true

struct pair {
    long a, b;
};

static void fill(struct pair *p, int n) {
    p->a = n;
    p->b = n + 1;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct pair p;
        fill(&p, i);
        if (p.b == 7)
            return 1;
    }
    return 0;
}
