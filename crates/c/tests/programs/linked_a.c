/* Two units with linked_b.c: extern, static, tentative definitions, weak types of arrays. */
int printf(const char *, ...);
extern int shared[];
int tentative;
int tentative;
extern int other(int);
static int hidden(void) { return 1; }
extern struct opaque *make(void);
int read_opaque(struct opaque *);
const char *greeting(void);
struct shape { int w, h; struct shape *next; };
struct shape grow(struct shape, int);

int main(void) {
    tentative = 4;
    printf("%d %d %d\n", shared[2], other(3), hidden());
    printf("%d\n", read_opaque(make()));
    printf("%s\n", greeting());
    printf("%d\n", implicit(6));
    struct shape s = { 2, 3, 0 };
    s = grow(s, 4);
    printf("%d %d\n", s.w, s.h);
    return 0;
}
