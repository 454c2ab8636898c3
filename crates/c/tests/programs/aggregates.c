/* Records, bit-fields, unions, arrays, initialisers, copies. */
int printf(const char *, ...);
void *memcpy(void *, const void *, __SIZE_TYPE__);

struct point { int x, y; };
struct mixed {
    char tag;
    struct point p[3];
    union { int i; float f; char c[4]; };
    unsigned a : 3, b : 7;
    signed s : 5;
    const char *name;
};
struct list { int value; struct list *next; };
struct big { long v[20]; };

static struct mixed table[] = {
    { 'a', { { 1, 2 }, [2] = { .y = 6 } }, { .f = 1.0f }, .a = 5, 100, -3, "first" },
    [2] = { .tag = 'c', .name = "third", .p[1].x = 9, .p[1].y = 10 },
};
static int matrix[3][4] = { { 1, 2 }, { [3] = 8 }, 9, 10, 11 };
static char text[] = "hello";
static char exact[3] = "abc";
static int ranges[10] = { [2 ... 4] = 7, [8] = 1 };
static struct list nodes[3] = { { 1, &nodes[1] }, { 2, &nodes[2] }, { 3, 0 } };
static int *pointer = &matrix[1][3];

static struct point swap(struct point p) {
    struct point q = { p.y, p.x };
    p.x = 99;
    return q;
}

static struct big fill(int n) {
    struct big b;
    for (int i = 0; i < 20; i++) b.v[i] = n * i;
    return b;
}

static int sum(int n, int a[n]) {
    int s = 0;
    while (n--) s += a[n];
    return s;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct mixed m = table[i];
        printf("%d %d %d %d %d\n", m.tag, m.p[0].x, m.p[2].y, m.p[1].x, m.i);
        printf("%u %u %d\n", m.a, m.b, m.s);
    }
    printf("%s %s\n", table[0].name, table[2].name);
    printf("%d %d %d %d\n", (int)sizeof table / (int)sizeof *table, matrix[1][3], matrix[2][2], matrix[2][3]);
    printf("%s %d %c\n", text, (int)sizeof text, exact[2]);
    printf("%d %d %d\n", ranges[3], ranges[5], ranges[8]);
    int total = 0;
    for (struct list *l = nodes; l; l = l->next) total += l->value;
    printf("%d %d\n", total, *pointer);
    struct point p = { 3, 4 };
    struct point q = swap(p);
    printf("%d %d %d %d %d\n", p.x, p.y, q.x, q.y, swap(q).x);
    struct big b = fill(3), c;
    c = b;
    printf("%ld %ld\n", c.v[19], fill(2).v[5]);
    table[1].a = 9;
    table[1].s = 17;
    table[1].b += 130;
    printf("%u %d %u\n", table[1].a, table[1].s, table[1].b);
    printf("%d\n", (table[1].a = 15) + 1);
    table[1].a++;
    printf("%u\n", table[1].a);
    int n = 5;
    int vla[n];
    for (int i = 0; i < n; i++) vla[i] = i * i;
    printf("%d %d\n", sum(n, vla), (int)(sizeof vla / sizeof vla[0]));
    int grid[n][3];
    grid[4][2] = 77;
    printf("%d %d\n", grid[4][2], (int)sizeof grid);
    struct point *lit = &(struct point){ 5, 6 };
    printf("%d\n", lit->x + ((struct point){ .y = 8 }).y);
    union { unsigned u; float f; } pun;
    pun.f = 1.0f;
    printf("%x\n", pun.u);
    struct { int n; int data[]; } *flex = __builtin_alloca(sizeof *flex + 3 * sizeof(int));
    flex->n = 3;
    flex->data[2] = 5;
    printf("%d\n", flex->n + flex->data[2]);
    int local[3][2] = { { 1 }, { 2, 3 } };
    printf("%d %d %d\n", local[0][1], local[1][1], local[2][0]);
    char buf[12] = "ab";
    printf("%d %d\n", buf[1], buf[11]);
    char *s = buf + 1;
    printf("%c\n", *s++);
    printf("%d\n", (int)(s - buf));
    return 0;
}
