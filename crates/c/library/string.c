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
    int order = 0;
    for (size_t i = 0; i < n; i++) {
        int difference = x[i] - y[i];
        if (!order)
            order = difference;
    }
    return order < 0 ? -1 : order > 0;
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

int snprintf(char *restrict to, size_t room, const char *restrict format, ...);

// Each thread has its own text for numbers that mean nothing.
static _Thread_local char raddle_unknown_error[32];

char *strerror(int error) {
    switch (error) {
    case 0: return (char *)"Success";
    case 1: return (char *)"Operation not permitted";
    case 2: return (char *)"No such file or directory";
    case 3: return (char *)"No such process";
    case 4: return (char *)"Interrupted system call";
    case 5: return (char *)"Input/output error";
    case 6: return (char *)"No such device or address";
    case 7: return (char *)"Argument list too long";
    case 8: return (char *)"Exec format error";
    case 9: return (char *)"Bad file descriptor";
    case 10: return (char *)"No child processes";
    case 11: return (char *)"Resource temporarily unavailable";
    case 12: return (char *)"Cannot allocate memory";
    case 13: return (char *)"Permission denied";
    case 14: return (char *)"Bad address";
    case 15: return (char *)"Block device required";
    case 16: return (char *)"Device or resource busy";
    case 17: return (char *)"File exists";
    case 18: return (char *)"Invalid cross-device link";
    case 19: return (char *)"No such device";
    case 20: return (char *)"Not a directory";
    case 21: return (char *)"Is a directory";
    case 22: return (char *)"Invalid argument";
    case 23: return (char *)"Too many open files in system";
    case 24: return (char *)"Too many open files";
    case 25: return (char *)"Inappropriate ioctl for device";
    case 26: return (char *)"Text file busy";
    case 27: return (char *)"File too large";
    case 28: return (char *)"No space left on device";
    case 29: return (char *)"Illegal seek";
    case 30: return (char *)"Read-only file system";
    case 31: return (char *)"Too many links";
    case 32: return (char *)"Broken pipe";
    case 33: return (char *)"Numerical argument out of domain";
    case 34: return (char *)"Numerical result out of range";
    case 35: return (char *)"Resource deadlock avoided";
    case 36: return (char *)"File name too long";
    case 37: return (char *)"No locks available";
    case 38: return (char *)"Function not implemented";
    case 39: return (char *)"Directory not empty";
    case 40: return (char *)"Too many levels of symbolic links";
    case 42: return (char *)"No message of desired type";
    case 43: return (char *)"Identifier removed";
    case 44: return (char *)"Channel number out of range";
    case 45: return (char *)"Level 2 not synchronized";
    case 46: return (char *)"Level 3 halted";
    case 47: return (char *)"Level 3 reset";
    case 48: return (char *)"Link number out of range";
    case 49: return (char *)"Protocol driver not attached";
    case 50: return (char *)"No CSI structure available";
    case 51: return (char *)"Level 2 halted";
    case 52: return (char *)"Invalid exchange";
    case 53: return (char *)"Invalid request descriptor";
    case 54: return (char *)"Exchange full";
    case 55: return (char *)"No anode";
    case 56: return (char *)"Invalid request code";
    case 57: return (char *)"Invalid slot";
    case 59: return (char *)"Bad font file format";
    case 60: return (char *)"Device not a stream";
    case 61: return (char *)"No data available";
    case 62: return (char *)"Timer expired";
    case 63: return (char *)"Out of streams resources";
    case 64: return (char *)"Machine is not on the network";
    case 65: return (char *)"Package not installed";
    case 66: return (char *)"Object is remote";
    case 67: return (char *)"Link has been severed";
    case 68: return (char *)"Advertise error";
    case 69: return (char *)"Srmount error";
    case 70: return (char *)"Communication error on send";
    case 71: return (char *)"Protocol error";
    case 72: return (char *)"Multihop attempted";
    case 73: return (char *)"RFS specific error";
    case 74: return (char *)"Bad message";
    case 75: return (char *)"Value too large for defined data type";
    case 76: return (char *)"Name not unique on network";
    case 77: return (char *)"File descriptor in bad state";
    case 78: return (char *)"Remote address changed";
    case 79: return (char *)"Can not access a needed shared library";
    case 80: return (char *)"Accessing a corrupted shared library";
    case 81: return (char *)".lib section in a.out corrupted";
    case 82: return (char *)"Attempting to link in too many shared libraries";
    case 83: return (char *)"Cannot exec a shared library directly";
    case 84: return (char *)"Invalid or incomplete multibyte or wide character";
    case 85: return (char *)"Interrupted system call should be restarted";
    case 86: return (char *)"Streams pipe error";
    case 87: return (char *)"Too many users";
    case 88: return (char *)"Socket operation on non-socket";
    case 89: return (char *)"Destination address required";
    case 90: return (char *)"Message too long";
    case 91: return (char *)"Protocol wrong type for socket";
    case 92: return (char *)"Protocol not available";
    case 93: return (char *)"Protocol not supported";
    case 94: return (char *)"Socket type not supported";
    case 95: return (char *)"Operation not supported";
    case 96: return (char *)"Protocol family not supported";
    case 97: return (char *)"Address family not supported by protocol";
    case 98: return (char *)"Address already in use";
    case 99: return (char *)"Cannot assign requested address";
    case 100: return (char *)"Network is down";
    case 101: return (char *)"Network is unreachable";
    case 102: return (char *)"Network dropped connection on reset";
    case 103: return (char *)"Software caused connection abort";
    case 104: return (char *)"Connection reset by peer";
    case 105: return (char *)"No buffer space available";
    case 106: return (char *)"Transport endpoint is already connected";
    case 107: return (char *)"Transport endpoint is not connected";
    case 108: return (char *)"Cannot send after transport endpoint shutdown";
    case 109: return (char *)"Too many references: cannot splice";
    case 110: return (char *)"Connection timed out";
    case 111: return (char *)"Connection refused";
    case 112: return (char *)"Host is down";
    case 113: return (char *)"No route to host";
    case 114: return (char *)"Operation already in progress";
    case 115: return (char *)"Operation now in progress";
    case 116: return (char *)"Stale file handle";
    case 117: return (char *)"Structure needs cleaning";
    case 118: return (char *)"Not a XENIX named type file";
    case 119: return (char *)"No XENIX semaphores available";
    case 120: return (char *)"Is a named type file";
    case 121: return (char *)"Remote I/O error";
    case 122: return (char *)"Disk quota exceeded";
    case 123: return (char *)"No medium found";
    case 124: return (char *)"Wrong medium type";
    case 125: return (char *)"Operation canceled";
    case 126: return (char *)"Required key not available";
    case 127: return (char *)"Key has expired";
    case 128: return (char *)"Key has been revoked";
    case 129: return (char *)"Key was rejected by service";
    case 130: return (char *)"Owner died";
    case 131: return (char *)"State not recoverable";
    case 132: return (char *)"Operation not possible due to RF-kill";
    case 133: return (char *)"Memory page has hardware error";
    default:
        snprintf(raddle_unknown_error, sizeof raddle_unknown_error, "Unknown error %d", error);
        return raddle_unknown_error;
    }
}

// One plain object for numbers that mean nothing: the manual does not call this thread-safe.
static char raddle_unknown_signal[32];

char *strsignal(int number) {
    switch (number) {
    case 1: return (char *)"Hangup";
    case 2: return (char *)"Interrupt";
    case 3: return (char *)"Quit";
    case 4: return (char *)"Illegal instruction";
    case 5: return (char *)"Trace/breakpoint trap";
    case 6: return (char *)"Aborted";
    case 7: return (char *)"Bus error";
    case 8: return (char *)"Floating point exception";
    case 9: return (char *)"Killed";
    case 10: return (char *)"User defined signal 1";
    case 11: return (char *)"Segmentation fault";
    case 12: return (char *)"User defined signal 2";
    case 13: return (char *)"Broken pipe";
    case 14: return (char *)"Alarm clock";
    case 15: return (char *)"Terminated";
    case 16: return (char *)"Stack fault";
    case 17: return (char *)"Child exited";
    case 18: return (char *)"Continued";
    case 19: return (char *)"Stopped (signal)";
    case 20: return (char *)"Stopped";
    case 21: return (char *)"Stopped (tty input)";
    case 22: return (char *)"Stopped (tty output)";
    case 23: return (char *)"Urgent I/O condition";
    case 24: return (char *)"CPU time limit exceeded";
    case 25: return (char *)"File size limit exceeded";
    case 26: return (char *)"Virtual timer expired";
    case 27: return (char *)"Profiling timer expired";
    case 28: return (char *)"Window changed";
    case 29: return (char *)"I/O possible";
    case 30: return (char *)"Power failure";
    case 31: return (char *)"Bad system call";
    default:
        snprintf(raddle_unknown_signal, sizeof raddle_unknown_signal, number >= 34 && number <= 64 ? "Real-time signal %d" : "Unknown signal %d",
                 number >= 34 && number <= 64 ? number - 34 : number);
        return raddle_unknown_signal;
    }
}

char *strerror_r(int error, char *buffer, size_t room) {
    char *text = strerror(error);
    if (text != raddle_unknown_error)
        return text;
    strlcpy(buffer, text, room);
    return buffer;
}

int __xpg_strerror_r(int error, char *buffer, size_t room) {
    char *text = strerror(error);
    int fits = strlcpy(buffer, text, room) < room;
    return text == raddle_unknown_error ? 22 : fits ? 0 : 34;
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
