/* Real headers and the modelled library: records through calls, bit-fields, container_of, strings, heap. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#include <errno.h>
#include <assert.h>
#include <limits.h>
#include <ctype.h>
enum color { RED, GREEN = -2, BLUE };
struct bits { enum color c : 3; _Bool flag : 1; unsigned u : 31; long long ll : 50; char ch : 2; };
struct fp { struct bits (*make)(int); };
static struct bits mk(int n) { struct bits b = { BLUE, n, n * 3, n * 1000000000000LL, n }; return b; }
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
struct outer { int pad; struct { int x, y; } in; };
static int rec(struct outer o, int n) { o.in.x += n; return n ? rec(o, n - 1) + o.in.x : o.in.x; }
static const char *const names[] = { [RED] = "red", "x", };
static int vsum(const char *fmt, ...) { return fmt[0]; }
union u { double d; uint64_t i; struct { uint32_t lo, hi; }; };
static void *self = &self;
static int (*const ops[])(int) = { isdigit, isalpha };
int main(void) {
  struct fp f = { mk };
  struct bits b = f.make(1);
  printf("%d %d %u %lld %d\n", b.c, b.flag, b.u, (long long)b.ll, b.ch);
  printf("%lld\n", (long long)f.make(2).ll);
  struct outer o = { 1, { 2, 3 } };
  printf("%d %d\n", rec(o, 4), container_of(&o.in.y, struct outer, in.y)->pad);
  union u u = { .d = -1.5 }; printf("%08x %08x\n", u.hi, u.lo);
  printf("%s %d\n", names[0], self == &self);
  printf("%d %d\n", ops[0]('5') != 0, ops[1]('5') != 0);
  uintptr_t ip = (uintptr_t)&o; ip |= 1; struct outer *po = (struct outer *)(ip & ~(uintptr_t)1); printf("%d\n", po->in.x);
  int *arr = malloc(10 * sizeof *arr); for (int i = 0; i < 10; i++) arr[i] = i; arr = realloc(arr, 20 * sizeof *arr); printf("%d\n", arr[9]); memmove(arr + 1, arr, 5 * sizeof *arr); printf("%d %d\n", arr[5], arr[1]); free(arr);
  int x = INT_MAX; unsigned ux = x; ux += 2; printf("%u %d\n", ux, (int)ux < 0);
  short sh = (short)70000; signed char sc = (signed char)200; printf("%d %d\n", sh, sc);
  long l = -5; printf("%ld %lu %d\n", l / 2, (unsigned long)l >> (sizeof l * 8 - 4), (int)(l >> 1));
  int i = 3; i = i++ + 1 > 3 ? i-- : ++i; 
  char buf[] = { 'a', [3] = 'd' }; printf("%d %c\n", (int)sizeof buf, buf[3]);
  int m[2][3] = { 1, 2, 3, 4 }, (*pm)[3] = m; printf("%d %d %d\n", pm[1][0], *(*(m + 0) + 2), (int)(&m[1][1] - &m[0][0]));
  printf("%d\n", strcmp("abc", "abd") < 0 && !strncmp("abc", "abx", 2) && strchr("hello", 'l') - "hello" != 0);
  errno = 0; long v = strtol("0x1f", 0, 0); printf("%ld %d %d\n", v, atoi("  -42"), abs(-7));
  printf("%d %d\n", __builtin_types_compatible_p(int, unsigned), __builtin_choose_expr(1, 5, "x"));
  double acc = 0; for (float t = 0; t < 1; t += 0.1f) acc += t; printf("%.6f\n", acc);
  printf("%d\n", (int)(unsigned char)~0 + (b.u++, b.u--, --b.u > 0) + vsum("A", 1, 2.0));
  static int st[] = { sizeof(struct bits) > 8, (int)offsetof(struct outer, in.y), -1 ? 3 : 4 }; printf("%d %d %d\n", st[0], st[1], st[2]);
  assert(x == INT_MAX);
  return 0;
}
