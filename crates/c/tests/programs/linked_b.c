/* The other unit of linked_a.c. */
extern int tentative;
int shared[3] = { 1, 2, 3 };
struct opaque { int value; } instance = { 17 };
static int hidden(void) { return 2; }
int other(int x) { return x + tentative + hidden(); }
struct opaque *make(void) { return &instance; }
int read_opaque(struct opaque *o) { return o->value; }
const char *greeting(void) { return __func__; }
int implicit(int x) { return x * 7; }
struct shape { int w, h; struct shape *next; };
struct shape grow(struct shape s, int by) {
    struct shape t = { s.w * by, s.h * by, s.next };
    return t;
}
