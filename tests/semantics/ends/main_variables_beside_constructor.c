//! A constructor runs before `main` and changes nothing about how it ends.
//! expect: valid-memsafety true
static int ready;

__attribute__((constructor)) static void prepare(void) { ready = 1; }

int main(void) {
    int local = ready, *same = &local;
    return *same - 1;
}
