// string.h and strings.h.
//
// Every byte that the C standard says is accessed is accessed, so that the detectors see it. Copies go
// by words as far as they reach: a copied pointer is read and written whole, and a copy of one
// scalar is one step, a longer one is not. (Small copies of known types are made without calling this, scalar by scalar.)

typedef __SIZE_TYPE__ size_t;
typedef unsigned char raddle_byte;
typedef unsigned long raddle_word;

void *__raddle_malloc(unsigned long size);

// Memory

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    char *t = to;
    const char *f = from;
    size_t i = 0;
    for (; n - i >= sizeof(raddle_word); i += sizeof(raddle_word))
        *(raddle_word *)(t + i) = *(const raddle_word *)(f + i);
    for (; n - i >= sizeof(int); i += sizeof(int))
        *(int *)(t + i) = *(const int *)(f + i);
    for (; i < n; i++)
        t[i] = f[i];
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
    return (char *)memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n) {
    char *t = to;
    const char *f = from;
    // Only the order of two addresses matters here; as integers they have one.
    if ((__UINTPTR_TYPE__)t - (__UINTPTR_TYPE__)f >= n)
        return memcpy(to, from, n);
    size_t i = n;
    for (; i % sizeof(raddle_word); i--)
        t[i - 1] = f[i - 1];
    for (; i; i -= sizeof(raddle_word))
        *(raddle_word *)(t + i - sizeof(raddle_word)) = *(const raddle_word *)(f + i - sizeof(raddle_word));
    return to;
}

void *memset(void *to, int value, size_t n) {
    char *t = to;
    raddle_word word = (raddle_byte)value;
    word |= word << 8;
    word |= word << 16;
    word |= word << 16 << 16;
    size_t i = 0;
    for (; n - i >= sizeof word; i += sizeof word)
        *(raddle_word *)(t + i) = word;
    for (; n - i >= sizeof(int); i += sizeof(int))
        *(int *)(t + i) = (int)word;
    for (; i < n; i++)
        t[i] = (char)value;
    return to;
}

void explicit_bzero(void *to, size_t n) { memset(to, 0, n); }
void bzero(void *to, size_t n) { memset(to, 0, n); }
void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }

int memcmp(const void *a, const void *b, size_t n) {
    const raddle_byte *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *in, int c, size_t n) {
    const raddle_byte *s = in;
    for (size_t i = 0; i < n; i++)
        if (s[i] == (raddle_byte)c)
            return (void *)(s + i);
    return 0;
}

void *memrchr(const void *in, int c, size_t n) {
    const raddle_byte *s = in;
    while (n--)
        if (s[n] == (raddle_byte)c)
            return (void *)(s + n);
    return 0;
}

void *rawmemchr(const void *in, int c) {
    const raddle_byte *s = in;
    while (*s != (raddle_byte)c)
        s++;
    return (void *)s;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
    raddle_byte *t = to;
    const raddle_byte *f = from;
    for (size_t i = 0; i < n; i++) {
        t[i] = f[i];
        if (t[i] == (raddle_byte)c)
            return t + i + 1;
    }
    return 0;
}

void *memmem(const void *in, size_t n, const void *what, size_t m) {
    const char *s = in;
    for (size_t i = 0; m <= n && i <= n - m; i++)
        if (memcmp(s + i, what, m) == 0)
            return (void *)(s + i);
    return 0;
}

// Length and copies of strings

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (size_t rest = i; rest < n; rest++)
        to[rest] = 0;
    return to + i;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    stpncpy(to, from, n);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *end = to + strlen(to);
    size_t i = 0;
    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t room) {
    size_t length = strlen(from);
    if (room) {
        size_t n = length < room ? length : room - 1;
        memcpy(to, from, n);
        to[n] = 0;
    }
    return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t room) {
    size_t have = strnlen(to, room);
    return have == room ? room + strlen(from) : have + strlcpy(to + have, from, room - have);
}

char *strdup(const char *s) {
    size_t size = strlen(s) + 1;
    return memcpy(__raddle_malloc(size), s, size);
}

char *__strdup(const char *s) { return strdup(s); }

char *strndup(const char *s, size_t most) {
    size_t n = strnlen(s, most);
    char *copy = memcpy(__raddle_malloc(n + 1), s, n);
    copy[n] = 0;
    return copy;
}

// Comparison

int strcmp(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return (int)(raddle_byte)a[i] - (int)(raddle_byte)b[i];
}

int strncmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return (int)(raddle_byte)a[i] - (int)(raddle_byte)b[i];
        if (!a[i])
            return 0;
    }
    return 0;
}

static int raddle_lower(char c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (int)(raddle_byte)c;
}

int strcasecmp(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && raddle_lower(a[i]) == raddle_lower(b[i]))
        i++;
    return raddle_lower(a[i]) - raddle_lower(b[i]);
}

int strncasecmp(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int difference = raddle_lower(a[i]) - raddle_lower(b[i]);
        if (difference || !a[i])
            return difference;
    }
    return 0;
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }
size_t strxfrm(char *restrict to, const char *restrict from, size_t room) { return strlcpy(to, from, room); }

// Search

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c) {
    char *found = strchrnul(s, c);
    return *found == (char)c ? found : 0;
}

char *strrchr(const char *s, int c) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}

char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

static int raddle_begins(const char *s, const char *what, int fold) {
    for (; *what; s++, what++)
        if (fold ? raddle_lower(*s) != raddle_lower(*what) : *s != *what)
            return 0;
    return 1;
}

char *strstr(const char *s, const char *what) {
    for (;; s++) {
        if (raddle_begins(s, what, 0))
            return (char *)s;
        if (!*s)
            return 0;
    }
}

char *strcasestr(const char *s, const char *what) {
    for (;; s++) {
        if (raddle_begins(s, what, 1))
            return (char *)s;
        if (!*s)
            return 0;
    }
}

static int raddle_among(char c, const char *set) {
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && raddle_among(s[n], set))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !raddle_among(s[n], set))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set) {
    s += strcspn(s, set);
    return *s ? (char *)s : 0;
}

char *strsep(char **restrict rest, const char *restrict separators) {
    char *token = *rest;
    if (!token)
        return 0;
    char *end = token + strcspn(token, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return token;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) {
    if (!s)
        s = *rest;
    s += strspn(s, separators);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, separators);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return s;
}

char *__strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) {
    return strtok_r(s, separators, rest);
}

// A plain object, since strtok is not thread-safe: two threads that use it race.
static char *raddle_strtok_rest;

char *strtok(char *restrict s, const char *restrict separators) {
    return strtok_r(s, separators, &raddle_strtok_rest);
}

// Numbers and messages

int ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
int ffsl(long x) { return x ? __builtin_ctzl((unsigned long)x) + 1 : 0; }
int ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0; }

char *strerror(int error) {
    switch (error) {
    case 0: return (char *)"Success";
    case 1: return (char *)"Operation not permitted";
    case 2: return (char *)"No such file or directory";
    case 4: return (char *)"Interrupted system call";
    case 11: return (char *)"Resource temporarily unavailable";
    case 12: return (char *)"Cannot allocate memory";
    case 16: return (char *)"Device or resource busy";
    case 22: return (char *)"Invalid argument";
    case 34: return (char *)"Numerical result out of range";
    case 35: return (char *)"Resource deadlock avoided";
    case 110: return (char *)"Connection timed out";
    default: return (char *)"Unknown error";
    }
}

char *strerror_r(int error, char *buffer, size_t room) {
    (void)buffer;
    (void)room;
    return strerror(error);
}

int __xpg_strerror_r(int error, char *buffer, size_t room) {
    return strlcpy(buffer, strerror(error), room) < room ? 0 : 34;
}

// What _FORTIFY_SOURCE makes of them; the detectors do the checking.

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) { (void)room; return memcpy(to, from, n); }
void *__memmove_chk(void *to, const void *from, size_t n, size_t room) { (void)room; return memmove(to, from, n); }
void *__memset_chk(void *to, int value, size_t n, size_t room) { (void)room; return memset(to, value, n); }
char *__strcpy_chk(char *to, const char *from, size_t room) { (void)room; return strcpy(to, from); }
char *__stpcpy_chk(char *to, const char *from, size_t room) { (void)room; return stpcpy(to, from); }
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) { (void)room; return strncpy(to, from, n); }
char *__strcat_chk(char *to, const char *from, size_t room) { (void)room; return strcat(to, from); }
char *__strncat_chk(char *to, const char *from, size_t n, size_t room) { (void)room; return strncat(to, from, n); }
