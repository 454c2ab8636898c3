// stdlib.h. Memory never runs out; what the world outside decides (random numbers, the environment) is
// any value or absent.

typedef __SIZE_TYPE__ size_t;

void raddle_cancellation_point(void);
void *__raddle_malloc(unsigned long size);
void *__raddle_calloc(unsigned long size);
void *__raddle_aligned_alloc(unsigned long alignment, unsigned long size);
void __raddle_free(void *p);
unsigned long __raddle_object_size(void *p);
_Noreturn void __raddle_exit(int status);
_Noreturn void __raddle_abort(void);
int __raddle_uses(const char *name);
void __raddle_fuse_begin(void);
void __raddle_fuse_end(void);
int __raddle_nondet_int(void);
_Bool __raddle_nondet_bool(void);
unsigned __raddle_nondet_uint(void);
int *__errno_location(void);
void __raddle_assume(int condition);
void *memcpy(void *restrict to, const void *restrict from, size_t n);

enum { RADDLE_SEQ_CST = 5, RADDLE_ENOMEM = 12, RADDLE_EINVAL = 22, RADDLE_ERANGE = 34 };

// Memory

void *malloc(size_t size) { return __raddle_malloc(size); }
void free(void *p) { __raddle_free(p); }

void *calloc(size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) {
        *__errno_location() = RADDLE_ENOMEM;
        return 0;
    }
    return __raddle_calloc(count * size);
}

void *realloc(void *p, size_t size) {
    if (!p)
        return __raddle_malloc(size);
    if (!size) {
        __raddle_free(p);
        return 0;
    }
    size_t old = __raddle_object_size(p);
    void *moved = __raddle_malloc(size);
    memcpy(moved, p, old < size ? old : size);
    __raddle_free(p);
    return moved;
}

void *reallocarray(void *p, size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) {
        *__errno_location() = RADDLE_ENOMEM;
        return 0;
    }
    return realloc(p, count * size);
}

// The intrinsic takes a constant alignment. Above 1 GiB there is no memory.
static void *raddle_aligned(size_t alignment, size_t size) {
    switch (alignment) {
    case 1u << 5: return __raddle_aligned_alloc(1u << 5, size);
    case 1u << 6: return __raddle_aligned_alloc(1u << 6, size);
    case 1u << 7: return __raddle_aligned_alloc(1u << 7, size);
    case 1u << 8: return __raddle_aligned_alloc(1u << 8, size);
    case 1u << 9: return __raddle_aligned_alloc(1u << 9, size);
    case 1u << 10: return __raddle_aligned_alloc(1u << 10, size);
    case 1u << 11: return __raddle_aligned_alloc(1u << 11, size);
    case 1u << 12: return __raddle_aligned_alloc(1u << 12, size);
    case 1u << 13: return __raddle_aligned_alloc(1u << 13, size);
    case 1u << 14: return __raddle_aligned_alloc(1u << 14, size);
    case 1u << 15: return __raddle_aligned_alloc(1u << 15, size);
    case 1u << 16: return __raddle_aligned_alloc(1u << 16, size);
    case 1u << 17: return __raddle_aligned_alloc(1u << 17, size);
    case 1u << 18: return __raddle_aligned_alloc(1u << 18, size);
    case 1u << 19: return __raddle_aligned_alloc(1u << 19, size);
    case 1u << 20: return __raddle_aligned_alloc(1u << 20, size);
    case 1u << 21: return __raddle_aligned_alloc(1u << 21, size);
    case 1u << 22: return __raddle_aligned_alloc(1u << 22, size);
    case 1u << 23: return __raddle_aligned_alloc(1u << 23, size);
    case 1u << 24: return __raddle_aligned_alloc(1u << 24, size);
    case 1u << 25: return __raddle_aligned_alloc(1u << 25, size);
    case 1u << 26: return __raddle_aligned_alloc(1u << 26, size);
    case 1u << 27: return __raddle_aligned_alloc(1u << 27, size);
    case 1u << 28: return __raddle_aligned_alloc(1u << 28, size);
    case 1u << 29: return __raddle_aligned_alloc(1u << 29, size);
    case 1u << 30: return __raddle_aligned_alloc(1u << 30, size);
    default: return alignment <= 16 ? __raddle_malloc(size) : 0;
    }
}

// glibc rounds an alignment up to a power of two, and refuses those for which there is none.
void *memalign(size_t alignment, size_t size) {
    if (alignment > (size_t)-1 / 2 + 1) {
        *__errno_location() = RADDLE_EINVAL;
        return 0;
    }
    size_t power = 16;
    while (power < alignment)
        power *= 2;
    void *result = raddle_aligned(power, size);
    if (!result)
        *__errno_location() = RADDLE_ENOMEM;
    return result;
}

// What is no power of two is refused by newer versions only.
void *aligned_alloc(size_t alignment, size_t size) {
    if ((!alignment || (alignment & (alignment - 1))) && __raddle_nondet_bool()) {
        *__errno_location() = RADDLE_EINVAL;
        return 0;
    }
    return memalign(alignment, size);
}

void *valloc(size_t size) { return __raddle_aligned_alloc(4096, size); }
void *pvalloc(size_t size) { return __raddle_aligned_alloc(4096, (size + 4095) / 4096 * 4096); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
        return RADDLE_EINVAL;
    void *made = raddle_aligned(alignment, size);
    if (!made)
        return RADDLE_ENOMEM;
    *result = made;
    return 0;
}

size_t malloc_usable_size(void *p) { return p ? __raddle_object_size(p) : 0; }

// Ends

// Handlers of `exit`: the first few in an array, the others in a list. The last comes first. What `on_exit` registers gets the status and its argument.

enum { RADDLE_HANDLERS = 32 };

struct raddle_handler {
    void (*plain)(void);
    void (*with_status)(int, void *);
    void *argument;
    struct raddle_handler *below;
};

struct raddle_handlers {
    unsigned count; // those in the array
    struct raddle_handler first[RADDLE_HANDLERS];
    struct raddle_handler *rest;
};

static struct raddle_handlers raddle_at_exit, raddle_at_quick_exit;

// The C library takes a lock here, which nobody can notice: one step.
static int raddle_register(struct raddle_handlers *handlers, void (*plain)(void), void (*with_status)(int, void *), void *argument) {
    struct raddle_handler *one = 0;
    __raddle_fuse_begin();
    unsigned at = __atomic_load_n(&handlers->count, RADDLE_SEQ_CST);
    if (at < RADDLE_HANDLERS) {
        one = &handlers->first[at];
        __atomic_store_n(&handlers->count, at + 1, RADDLE_SEQ_CST);
        __atomic_store_n(&one->plain, plain, RADDLE_SEQ_CST);
        __atomic_store_n(&one->with_status, with_status, RADDLE_SEQ_CST);
        __atomic_store_n(&one->argument, argument, RADDLE_SEQ_CST);
    }
    __raddle_fuse_end();
    if (one)
        return 0;
    one = __raddle_malloc(sizeof *one);
    one->plain = plain;
    one->with_status = with_status;
    one->argument = argument;
    __raddle_fuse_begin();
    one->below = __atomic_load_n(&handlers->rest, RADDLE_SEQ_CST);
    __atomic_store_n(&handlers->rest, one, RADDLE_SEQ_CST);
    __raddle_fuse_end();
    return 0;
}

int atexit(void (*handler)(void)) { return raddle_register(&raddle_at_exit, handler, 0, 0); }
int at_quick_exit(void (*handler)(void)) { return raddle_register(&raddle_at_quick_exit, handler, 0, 0); }
int on_exit(void (*handler)(int, void *), void *argument) { return raddle_register(&raddle_at_exit, 0, handler, argument); }

static void raddle_call_handler(const struct raddle_handler *one, int status) {
    if (one->with_status)
        one->with_status(status, one->argument);
    else
        one->plain();
}

static void raddle_run_handlers(struct raddle_handlers *handlers, int status) {
    for (;;) {
        struct raddle_handler one = {0, 0, 0, 0}, *last;
        unsigned left = 0;
        __raddle_fuse_begin();
        last = __atomic_load_n(&handlers->rest, RADDLE_SEQ_CST);
        if (last) {
            __atomic_store_n(&handlers->rest, last->below, RADDLE_SEQ_CST);
        } else {
            left = __atomic_load_n(&handlers->count, RADDLE_SEQ_CST);
            if (left) {
                __atomic_store_n(&handlers->count, left - 1, RADDLE_SEQ_CST);
                one.plain = __atomic_load_n(&handlers->first[left - 1].plain, RADDLE_SEQ_CST);
                one.with_status = __atomic_load_n(&handlers->first[left - 1].with_status, RADDLE_SEQ_CST);
                one.argument = __atomic_load_n(&handlers->first[left - 1].argument, RADDLE_SEQ_CST);
            }
        }
        __raddle_fuse_end();
        if (last) {
            one = *last;
            __raddle_free(last);
        } else if (!left) {
            return;
        }
        raddle_call_handler(&one, status);
    }
}

// Also what a return from main comes to.
_Noreturn void exit(int status) {
    if (__raddle_uses("atexit") || __raddle_uses("on_exit"))
        raddle_run_handlers(&raddle_at_exit, status);
    __raddle_exit(status);
}

_Noreturn void quick_exit(int status) {
    if (__raddle_uses("at_quick_exit"))
        raddle_run_handlers(&raddle_at_quick_exit, status);
    __raddle_exit(status);
}

_Noreturn void _Exit(int status) { __raddle_exit(status); }
_Noreturn void abort(void) { __raddle_abort(); }

// The world outside

// Nobody defines these: each holds any characters. Up to four variables can have different values.
enum { RADDLE_VALUES = 4, RADDLE_VALUE = 16 };
extern char raddle_environment[RADDLE_VALUES][RADDLE_VALUE];

// What the program changed itself comes first. The list is plain: whoever changes the environment races with whoever reads it.

struct raddle_variable {
    struct raddle_variable *next;
    char *text; // NAME=VALUE; only NAME for a variable that was removed
};

static struct raddle_variable *raddle_variables;
static int raddle_environment_is_cleared;

static int raddle_changes_environment(void) {
    return __raddle_uses("setenv") || __raddle_uses("unsetenv") || __raddle_uses("putenv") || __raddle_uses("clearenv");
}

static size_t raddle_name_length(const char *name) {
    size_t n = 0;
    while (name[n] && name[n] != '=')
        n++;
    return n;
}

static struct raddle_variable *raddle_find_variable(const char *name, size_t n) {
    for (struct raddle_variable *v = raddle_variables; v; v = v->next) {
        size_t i = 0;
        while (i < n && v->text[i] == name[i])
            i++;
        if (i == n && (!v->text[n] || v->text[n] == '='))
            return v;
    }
    return 0;
}

static void raddle_set_variable(const char *name, size_t n, char *text) {
    struct raddle_variable *v = raddle_find_variable(name, n);
    if (!v) {
        v = __raddle_malloc(sizeof *v);
        v->next = raddle_variables;
        raddle_variables = v;
    }
    v->text = text;
}

char *getenv(const char *name) {
    if (raddle_changes_environment()) {
        size_t n = raddle_name_length(name);
        struct raddle_variable *v = raddle_find_variable(name, n);
        if (v)
            return v->text[n] ? v->text + n + 1 : 0;
        if (raddle_environment_is_cleared)
            return 0;
    }
    unsigned any = __raddle_nondet_uint();
    if (!any)
        return 0;
    char *value = raddle_environment[any % RADDLE_VALUES];
    __raddle_assume(!value[RADDLE_VALUE - 1]);
    return value;
}

char *secure_getenv(const char *name) { return getenv(name); }

static int raddle_bad_name(const char *name) {
    if (name && *name && !name[raddle_name_length(name)])
        return 0;
    *__errno_location() = RADDLE_EINVAL;
    return 1;
}

int setenv(const char *name, const char *value, int overwrite) {
    if (raddle_bad_name(name))
        return -1;
    size_t n = raddle_name_length(name), m = 0;
    struct raddle_variable *v = raddle_find_variable(name, n);
    if (!overwrite && (v ? v->text[n] != 0 : !raddle_environment_is_cleared && __raddle_nondet_bool()))
        return 0;
    while (value[m])
        m++;
    char *text = __raddle_malloc(n + m + 2);
    memcpy(text, name, n);
    text[n] = '=';
    memcpy(text + n + 1, value, m + 1);
    raddle_set_variable(name, n, text);
    return 0;
}

int unsetenv(const char *name) {
    if (raddle_bad_name(name))
        return -1;
    size_t n = raddle_name_length(name);
    char *text = __raddle_malloc(n + 1);
    memcpy(text, name, n + 1);
    raddle_set_variable(name, n, text);
    return 0;
}

// The text itself becomes part of the environment; without `=` it removes the variable.
int putenv(char *text) {
    size_t n = raddle_name_length(text);
    if (!text[n])
        return unsetenv(text);
    raddle_set_variable(text, n, text);
    return 0;
}

int clearenv(void) {
    raddle_variables = 0;
    raddle_environment_is_cleared = 1;
    return 0;
}


int system(const char *command) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)command;
    return __raddle_nondet_int();
}

static int raddle_any_positive(void) { return (int)(__raddle_nondet_uint() >> 1); }

int rand(void) { return raddle_any_positive(); }
void srand(unsigned seed) { (void)seed; }

int rand_r(unsigned *seed) {
    *seed = __raddle_nondet_uint();
    return raddle_any_positive();
}

long random(void) { return raddle_any_positive(); }
void srandom(unsigned seed) { (void)seed; }

// These have a state in common that is plain: two threads that use them race.
static unsigned raddle_state48;

long lrand48(void) {
    raddle_state48++;
    return raddle_any_positive();
}

long mrand48(void) {
    raddle_state48++;
    return __raddle_nondet_int();
}

double drand48(void) {
    raddle_state48++;
    return raddle_any_positive() / 2147483648.0;
}

void srand48(long seed) { raddle_state48 = (unsigned)seed; }

// The generators whose state belongs to the caller are exact: POSIX says how they calculate.
struct raddle_rand48 {
    unsigned short now[3], before[3], add, seeded;
    unsigned long long times;
};

static unsigned long long raddle_next48(unsigned short now[3], struct raddle_rand48 *state) {
    if (!state->seeded) {
        state->times = 0x5deece66d;
        state->add = 11;
        state->seeded = 1;
    }
    unsigned long long x = (unsigned long long)now[2] << 32 | (unsigned long long)now[1] << 16 | now[0];
    x = x * state->times + state->add;
    now[0] = (unsigned short)x;
    now[1] = (unsigned short)(x >> 16);
    now[2] = (unsigned short)(x >> 32);
    return x & 0xffffffffffff;
}

int srand48_r(long seed, struct raddle_rand48 *state) {
    state->now[2] = (unsigned short)(seed >> 16);
    state->now[1] = (unsigned short)seed;
    state->now[0] = 0x330e;
    state->times = 0x5deece66d;
    state->add = 11;
    state->seeded = 1;
    return 0;
}

int nrand48_r(unsigned short now[3], struct raddle_rand48 *state, long *result) {
    *result = (long)(raddle_next48(now, state) >> 17);
    return 0;
}

int jrand48_r(unsigned short now[3], struct raddle_rand48 *state, long *result) {
    *result = (int)(raddle_next48(now, state) >> 16);
    return 0;
}

int erand48_r(unsigned short now[3], struct raddle_rand48 *state, double *result) {
    *result = (double)raddle_next48(now, state) / 281474976710656.0;
    return 0;
}

int lrand48_r(struct raddle_rand48 *state, long *result) { return nrand48_r(state->now, state, result); }
int mrand48_r(struct raddle_rand48 *state, long *result) { return jrand48_r(state->now, state, result); }
int drand48_r(struct raddle_rand48 *state, double *result) { return erand48_r(state->now, state, result); }

// The larger generators yield any numbers; only their state is written.
struct raddle_random {
    int *front, *rear, *state;
    int kind, degree, separation;
    int *end;
};

int initstate_r(unsigned seed, char *memory, size_t size, struct raddle_random *state) {
    if (!state || size < 8) {
        *__errno_location() = 22;
        return -1;
    }
    *(unsigned *)memory = seed;
    state->state = (int *)memory;
    state->kind = 0;
    return 0;
}

int srandom_r(unsigned seed, struct raddle_random *state) {
    if (!state || !state->state)
        return -1;
    *state->state = (int)seed;
    return 0;
}

int random_r(struct raddle_random *state, int *result) {
    if (!state || !result) {
        *__errno_location() = 22;
        return -1;
    }
    *state->state += 1;
    *result = (int)raddle_any_positive();
    return 0;
}

double erand48(unsigned short seed[3]) {
    seed[0] = (unsigned short)__raddle_nondet_uint();
    seed[1] = (unsigned short)__raddle_nondet_uint();
    seed[2] = (unsigned short)__raddle_nondet_uint();
    return raddle_any_positive() / 2147483648.0;
}

unsigned arc4random(void) { return __raddle_nondet_uint(); }
unsigned arc4random_uniform(unsigned bound) { return bound < 2 ? 0 : __raddle_nondet_uint() % bound; }

// Arithmetic

typedef struct { int quot, rem; } raddle_div;
typedef struct { long quot, rem; } raddle_ldiv;
typedef struct { long long quot, rem; } raddle_lldiv;

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
raddle_div div(int a, int b) { raddle_div r = {a / b, a % b}; return r; }
raddle_ldiv ldiv(long a, long b) { raddle_ldiv r = {a / b, a % b}; return r; }
raddle_lldiv lldiv(long long a, long long b) { raddle_lldiv r = {a / b, a % b}; return r; }

// Text to numbers

static int raddle_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static int raddle_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The magnitude of the number, at most `most`; `*negative` and `*overflow` tell the rest.
static unsigned long long raddle_number(const char *s, char **end, int base, unsigned long long most,
                                        int *negative, int *overflow) {
    const char *at = s;
    unsigned long long value = 0;
    int any = 0;
    *negative = *overflow = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = RADDLE_EINVAL;
        return 0;
    }
    while (raddle_space(*at))
        at++;
    if (*at == '+' || *at == '-')
        *negative = *at++ == '-';
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && raddle_digit(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    for (; raddle_digit(*at) < base; at++) {
        unsigned digit = (unsigned)raddle_digit(*at);
        any = 1;
        if (*overflow || value > (most - digit) / (unsigned)base)
            *overflow = 1;
        else
            value = value * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)(any ? at : s);
    if (*overflow) {
        *__errno_location() = RADDLE_ERANGE;
        return most;
    }
    return value;
}

// The largest magnitude of a signed type of that size depends on the sign, so it is found first.
static int raddle_minus(const char *s) {
    while (raddle_space(*s))
        s++;
    return *s == '-';
}

static long long raddle_signed(const char *s, char **end, int base, unsigned bits) {
    int negative, overflow;
    unsigned long long most = (1ull << (bits - 1)) - 1 + (unsigned)raddle_minus(s);
    unsigned long long magnitude = raddle_number(s, end, base, most, &negative, &overflow);
    return (long long)(negative ? 0ull - magnitude : magnitude);
}

static unsigned long long raddle_unsigned(const char *s, char **end, int base, unsigned bits) {
    int negative, overflow;
    unsigned long long most = bits == 64 ? ~0ull : (1ull << bits) - 1;
    unsigned long long magnitude = raddle_number(s, end, base, most, &negative, &overflow);
    return negative && !overflow ? 0ull - magnitude : magnitude;
}

long strtol(const char *restrict s, char **restrict end, int base) {
    return (long)raddle_signed(s, end, base, 8 * sizeof(long));
}

long long strtoll(const char *restrict s, char **restrict end, int base) { return raddle_signed(s, end, base, 64); }

unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
    return (unsigned long)raddle_unsigned(s, end, base, 8 * sizeof(long));
}

unsigned long long strtoull(const char *restrict s, char **restrict end, int base) {
    return raddle_unsigned(s, end, base, 64);
}

long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }
long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

// Whether the text begins with a word in small letters, whatever its own are.
static int raddle_begins(const char *s, const char *word) {
    for (; *word; s++, word++)
        if ((*s | 32) != *word)
            return 0;
    return 1;
}

// An exponent behind its letter; a text without digits has none.
static const char *raddle_exponent(const char *at, char letter, int *scale) {
    const char *digits = at + 1;
    int negative = 0, exponent = 0;
    if ((*at | 32) != letter)
        return at;
    if (*digits == '+' || *digits == '-')
        negative = *digits++ == '-';
    if (raddle_digit(*digits) > 9)
        return at;
    for (; raddle_digit(*digits) <= 9; digits++)
        if (exponent < 100000)
            exponent = exponent * 10 + raddle_digit(*digits);
    *scale += negative ? -exponent : exponent;
    return digits;
}

// Large natural numbers, the lowest word first.

enum { RADDLE_BIG = 170, RADDLE_DIGITS = 780 };

struct raddle_big {
    unsigned words; // in use
    unsigned word[RADDLE_BIG];
};

static void raddle_big_set(struct raddle_big *n, unsigned value) {
    n->words = value != 0;
    n->word[0] = value;
}

static void raddle_big_muladd(struct raddle_big *n, unsigned by, unsigned more) {
    unsigned long long carry = more;
    for (unsigned i = 0; i < n->words; i++) {
        carry += (unsigned long long)n->word[i] * by;
        n->word[i] = (unsigned)carry;
        carry >>= 32;
    }
    if (carry)
        n->word[n->words++] = (unsigned)carry;
}

static void raddle_big_shift(struct raddle_big *n, unsigned bits) {
    if (!n->words)
        return;
    unsigned whole = bits / 32;
    for (bits %= 32; bits; bits--)
        raddle_big_muladd(n, 2, 0);
    for (unsigned i = n->words; whole && i-- > 0;)
        n->word[i + whole] = n->word[i];
    for (unsigned i = 0; i < whole; i++)
        n->word[i] = 0;
    n->words += whole;
}

static int raddle_big_compare(const struct raddle_big *a, const struct raddle_big *b) {
    if (a->words != b->words)
        return a->words < b->words ? -1 : 1;
    for (unsigned i = a->words; i-- > 0;)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

static void raddle_big_subtract(struct raddle_big *a, const struct raddle_big *b) {
    unsigned borrow = 0;
    for (unsigned i = 0; i < a->words; i++) {
        unsigned long long taken = (unsigned long long)(i < b->words ? b->word[i] : 0) + borrow;
        borrow = a->word[i] < taken;
        a->word[i] = (unsigned)(a->word[i] - taken);
    }
    while (a->words && !a->word[a->words - 1])
        a->words--;
}

static int raddle_big_length(const struct raddle_big *n) {
    int bits = 0;
    for (unsigned top = n->word[n->words - 1]; top; top >>= 1)
        bits++;
    return bits + 32 * (int)(n->words - 1);
}

// The bits of top / bottom * 2^scale, rounded to the nearest number with `precision` bits and an exponent of `least` or more. Both are changed.
static unsigned long long raddle_rounded(struct raddle_big *top, struct raddle_big *bottom, int scale, int precision, int least) {
    int difference = raddle_big_length(top) - raddle_big_length(bottom);
    if (difference > 0)
        raddle_big_shift(bottom, (unsigned)difference);
    else
        raddle_big_shift(top, (unsigned)-difference);
    if (raddle_big_compare(top, bottom) < 0) {
        raddle_big_shift(top, 1);
        difference--;
    }
    int exponent = difference + scale; // the quotient is at least one and less than two
    unsigned long long infinity = (unsigned long long)(2 - 2 * least + 1) << (precision - 1), mantissa = 0;
    if (exponent > 1 - least) {
        *__errno_location() = RADDLE_ERANGE;
        return infinity;
    }
    int bits = exponent < least ? precision - (least - exponent) : precision;
    if (bits < 0) {
        *__errno_location() = RADDLE_ERANGE;
        return 0;
    }
    for (int i = 0; i < bits; i++) {
        int one = raddle_big_compare(top, bottom) >= 0;
        if (one)
            raddle_big_subtract(top, bottom);
        mantissa = mantissa * 2 + (unsigned)one;
        raddle_big_shift(top, 1);
    }
    int half = raddle_big_compare(top, bottom), exact = top->words == 0;
    int tiny = exponent < least && !exact;
    if (tiny && exponent == least - 1 && mantissa == (1ull << bits) - 1 && half >= 0) {
        // With one more bit it may be rounded up to a number that is not too small.
        raddle_big_subtract(top, bottom);
        raddle_big_shift(top, 1);
        tiny = raddle_big_compare(top, bottom) < 0;
    }
    if (half > 0 || (half == 0 && mantissa % 2))
        mantissa++;
    if (tiny)
        *__errno_location() = RADDLE_ERANGE;
    if (exponent < least)
        return mantissa;
    // A mantissa that was rounded up to a power of two makes the exponent larger by itself.
    unsigned long long result = ((unsigned long long)(exponent - least) << (precision - 1)) + mantissa;
    if (result >= infinity)
        *__errno_location() = RADDLE_ERANGE;
    return result;
}

// Digits that have been read: exactly for the first ones, and whether others behind them matter.
struct raddle_digits {
    struct raddle_big value;
    int count;   // of digits in the value
    int scale;   // power of the base behind them
    int any;     // there are digits
    int nonzero; // digits that were left out are not all zero
};

static const char *raddle_read_digits(const char *at, int base, struct raddle_digits *d) {
    int point = 0;
    raddle_big_set(&d->value, 0);
    d->count = d->scale = d->any = d->nonzero = 0;
    for (;; at++) {
        if (*at == '.' && !point) {
            point = 1;
            continue;
        }
        int digit = raddle_digit(*at);
        if (digit >= base)
            break;
        d->any = 1;
        if (d->count == RADDLE_DIGITS) {
            d->nonzero |= digit;
            d->scale += !point;
            continue;
        }
        if (digit || d->count) {
            if (d->value.words)
                raddle_big_muladd(&d->value, (unsigned)base, (unsigned)digit);
            else
                raddle_big_set(&d->value, (unsigned)digit);
            d->count++;
        }
        d->scale -= point;
    }
    return point && !d->any ? at - 1 : at;
}

static unsigned long long raddle_real(const char *s, char **end, int precision, int least) {
    const char *at = s;
    int sign, any = 1;
    unsigned long long bits = 0, infinity = (unsigned long long)(2 - 2 * least + 1) << (precision - 1);
    while (raddle_space(*at))
        at++;
    sign = *at == '-';
    if (*at == '+' || *at == '-')
        at++;
    if (raddle_begins(at, "inf")) {
        at += raddle_begins(at, "infinity") ? 8 : 3;
        bits = infinity;
    } else if (raddle_begins(at, "nan")) {
        const char *inside = at += 3;
        bits = infinity | 1ull << (precision - 2);
        if (*inside == '(') {
            do
                inside++;
            while (raddle_digit(*inside) < 36 || *inside == '_');
            if (*inside == ')') {
                char *after;
                int negative, overflow;
                unsigned long long payload = raddle_number(at + 1, &after, 0, ~0ull, &negative, &overflow);
                if (after == inside)
                    bits |= payload & ((1ull << (precision - 2)) - 1);
                at = inside + 1;
            }
        }
    } else {
        struct raddle_digits d;
        struct raddle_big bottom;
        int hex = at[0] == '0' && (at[1] | 32) == 'x' && raddle_digit(at[2] == '.' ? at[3] : at[2]) < 16;
        at = raddle_read_digits(hex ? at + 2 : at, hex ? 16 : 10, &d);
        any = d.any;
        if (any && hex) {
            int powers = 4 * d.scale;
            at = raddle_exponent(at, 'p', &powers);
            if (d.nonzero) {
                raddle_big_muladd(&d.value, 2, 1);
                powers--;
            }
            raddle_big_set(&bottom, 1);
            if (d.value.words)
                bits = raddle_rounded(&d.value, &bottom, powers, precision, least);
        } else if (any) {
            at = raddle_exponent(at, 'e', &d.scale);
            if (d.nonzero) {
                raddle_big_muladd(&d.value, 10, 1);
                d.scale--;
                d.count++;
            }
            if (!d.value.words) {
                bits = 0;
            } else if (d.count + d.scale > 310) {
                bits = infinity;
                *__errno_location() = RADDLE_ERANGE;
            } else if (d.count + d.scale < -330) {
                *__errno_location() = RADDLE_ERANGE;
            } else {
                raddle_big_set(&bottom, 1);
                for (; d.scale > 0; d.scale--)
                    raddle_big_muladd(&d.value, 10, 0);
                for (; d.scale < 0; d.scale++)
                    raddle_big_muladd(&bottom, 10, 0);
                bits = raddle_rounded(&d.value, &bottom, 0, precision, least);
            }
        }
    }
    if (end)
        *end = (char *)(any ? at : s);
    return any ? bits | (unsigned long long)sign << (precision == 53 ? 63 : 31) : 0;
}

// Short decimal fractions without the long way: a number and a power of ten that are both exact.
static int raddle_short_real(const char *s, char **end, double *result) {
    const char *at = s;
    double value = 0.0, power = 1.0;
    int negative, any = 0, digits = 0, point = 0;
    while (raddle_space(*at))
        at++;
    negative = *at == '-';
    if (*at == '+' || *at == '-')
        at++;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = 1;
            continue;
        }
        value = value * 10.0 + (*at - '0');
        any = 1;
        if (++digits > 15)
            return 0;
        if (point)
            power *= 10.0;
    }
    if (!any || (*at | 32) == 'e' || (*at | 32) == 'x')
        return 0;
    value /= power;
    *result = negative ? -value : value;
    if (end)
        *end = (char *)at;
    return 1;
}

double strtod(const char *restrict s, char **restrict end) {
    union {
        unsigned long long bits;
        double value;
    } result;
    double value;
    if (raddle_short_real(s, end, &value))
        return value;
    result.bits = raddle_real(s, end, 53, -1022);
    return result.value;
}

float strtof(const char *restrict s, char **restrict end) {
    union {
        unsigned bits;
        float value;
    } result;
    result.bits = (unsigned)raddle_real(s, end, 24, -126);
    return result.value;
}

long double strtold(const char *restrict s, char **restrict end) { return strtod(s, end); }
double atof(const char *s) { return strtod(s, 0); }

// Sorting and searching. The sort is stable, as that of glibc usually is.
//
// C leaves open what is compared with what. Where a comparison may go wrong, or sees more than its two elements, every two elements are
// compared before anything is moved, so that what goes wrong for some of them does; the front end says whether there is such a comparison
// function (`lower/comparisons.rs`). Of one that does more than compare, it says that one order of comparisons is considered.

typedef int (*raddle_compare)(const void *, const void *, void *);

static const int raddle_every_pair;

static void raddle_compare_all(const char *base, size_t n, size_t size, raddle_compare compare, void *context) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (i != k)
                compare(base + i * size, base + k * size, context);
}

static void raddle_insertion(char *base, size_t n, size_t size, raddle_compare compare, void *context) {
    memcpy(base, base, n * size); // even what is in its place may be written
    for (size_t i = 1; i < n; i++)
        for (char *at = base + i * size; at > base && compare(at - size, at, context) > 0; at -= size)
            for (size_t k = 0; k < size; k++) {
                char other = at[k];
                at[k] = at[k - size];
                at[k - size] = other;
            }
}

static void raddle_merge(char *base, size_t n, size_t size, raddle_compare compare, void *context, char *spare) {
    if (n <= 8) {
        raddle_insertion(base, n, size, compare, context);
        return;
    }
    size_t half = n / 2;
    raddle_merge(base, half, size, compare, context, spare);
    raddle_merge(base + half * size, n - half, size, compare, context, spare);
    memcpy(spare, base, half * size);
    char *left = spare, *left_end = spare + half * size;
    char *right = base + half * size, *right_end = base + n * size, *to = base;
    while (left < left_end && right < right_end) {
        char **from = compare(left, right, context) <= 0 ? &left : &right;
        memcpy(to, *from, size);
        *from += size;
        to += size;
    }
    memcpy(to, left, (size_t)(left_end - left));
}

void qsort_r(void *base, size_t n, size_t size, raddle_compare compare, void *context) {
    if (n < 2 || !size)
        return;
    if (raddle_every_pair)
        raddle_compare_all(base, n, size, compare, context);
    if (n <= 8) {
        raddle_insertion(base, n, size, compare, context);
        return;
    }
    char *spare = __raddle_malloc(n / 2 * size);
    raddle_merge(base, n, size, compare, context, spare);
    __raddle_free(spare);
}

static int raddle_compare_plainly(const void *a, const void *b, void *context) {
    int (**compare)(const void *, const void *) = context;
    return (*compare)(a, b);
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    qsort_r(base, n, size, raddle_compare_plainly, &compare);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    const char *from = base;
    if (raddle_every_pair)
        for (size_t i = 0; i < n; i++)
            compare(key, from + i * size);
    while (n) {
        const char *middle = from + n / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            from = middle + size;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return 0;
}
