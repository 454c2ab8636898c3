/* Declarators, scopes and extensions that are easy to parse wrongly. */
int printf(const char *, ...);

typedef int T;
typedef int (*handler)(int, char);
typedef struct node node;
struct node { node *next; T T; };
static int f(T T) { return T + 1; }
int (*pick(int which))(int);
static int twice(int x) { return 2 * x; }
int (*pick(int which))(int) { return which ? twice : f; }
char *(*(*table)[2])(void);
static char *hello(void) { return "hello"; }
static char *(*entries[2])(void) = { hello, hello };
unsigned long long int long_order = 1;
long unsigned int long mixed_order = 2;
int const *const volatile qualified = 0;
extern int array[];
int array[4] = { 1, 2, 3, 4 };
static inline __attribute__((always_inline, unused)) int attributed(int x __attribute__((unused))) { return 3; }
int weird __attribute__((aligned(32))) = 9, *ptr __attribute__((unused)) = &weird;
enum { ONE = 1, BIG = 1ull << 40 } tag;
struct { int a; struct { int b; union { int c; char d; }; }; } nested = { 1, { 2, { 3 } } };
static int (function_in_parens)(void) { return 4; }
__extension__ typedef long long ll;
_Static_assert(sizeof(ll) == 8, "long long");
__typeof__(array[0]) same = 5;
int first, second; ;
void nothing(void);
void nothing(void) {}
register_type(x) { return x + 1; }

int main(void) {
    node n = { 0, 7 };
    printf("%d %d %d\n", f(1), n.T, pick(1)(21));
    table = &entries;
    printf("%s\n", (*table)[1]());
    {
        int T = 3;
        T * 4;
        printf("%d\n", (T) * 2);
    }
    { typedef char T; printf("%d\n", (int)sizeof(T)); }
    for (T T = 0; T < 1; T++) printf("%d\n", (int)sizeof T);
    printf("%d %d\n", array[3], *ptr);
    printf("%d %d\n", ONE, BIG > 1000);
    printf("%d %d %d\n", nested.b, nested.c, nested.d);
    printf("%d %d\n", function_in_parens(), attributed(1));
    __auto_type automatic = 3.5;
    printf("%g\n", automatic);
    int a = 3, b = 4;
    printf("%d\n", ({ __typeof__(a) _a = a; __typeof__(b) _b = b; _a > _b ? _a : _b; }));
    handler h = 0;
    printf("%d %d\n", h == 0, (int)sizeof(int (*[3])(void)) / (int)sizeof(void *));
    printf("%d\n", (int)sizeof(struct { char c; int x[3]; }));
    int (*row)[2] = (int[][2]){ { 1, 2 }, { 3, 4 } };
    printf("%d %d\n", row[1][0], (*row)[1]);
    printf("%d\n", register_type(8));
    printf("%s%s\n", "ad" "jacent", "\x41\102\n" + 2);
    printf("%d %d %d\n", L'x', '\377', 'ab');
    extern int second;
    second = 6;
    printf("%d\n", second + sizeof(char[3]) > 8);
    struct old { int x, y; } o = { y: 2, x: 1 };
    printf("%d %d\n", o.x, o.y);
    nothing();
    return same - 5;
}
