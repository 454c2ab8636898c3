// stdio.h: output is formatted and given to `raddle run`; input is any input.
//
// Text is formatted into a local buffer first, so that reading the arguments is what other threads can
// interleave with, not the writing of single characters. Streams have no lock that user code could notice.
// Not modelled: files (fopen finds nothing or an unknown file), wide characters, positional arguments.
// stdio_scan.c has the scanf family.

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list raddle_arguments;

void __raddle_putchar(int stream, int c);
int __raddle_format_float(double v, int conversion, int precision, int flags, int width, int index);
_Bool __raddle_nondet_bool(void);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
void *__raddle_malloc(unsigned long size);
void *__raddle_calloc(unsigned long size);
void __raddle_free(void *p);
int *__errno_location(void);
int __raddle_mutex_lock(void *m);
int __raddle_mutex_trylock(void *m);
int __raddle_mutex_unlock(void *m);
char *strerror(int error);
size_t strlen(const char *s);

// Only `flockfile` takes the lock: what the functions themselves do with it, no other thread can notice. It is a recursive
// mutex; its kind is the fourth word or the fifth, depending on how wide pointers are.
struct raddle_file {
    int stream;
    int lock[10] __attribute__((aligned(8)));
};

// A stream that was opened. It is no block of its own, because it cannot be given to `free`.
struct raddle_stream {
    struct raddle_stream *before, *behind; // of those that are open
    struct raddle_file file;
};

static struct raddle_file raddle_in = {0, {[3] = 1, [4] = 1}}, raddle_out = {1, {[3] = 1, [4] = 1}};
static struct raddle_file raddle_err = {2, {[3] = 1, [4] = 1}};
struct raddle_file *stdin = &raddle_in;
struct raddle_file *stdout = &raddle_out;
struct raddle_file *stderr = &raddle_err;

// Whatever a function does with a stream, it has to be one.
static void raddle_use(struct raddle_file *file) { (void)*(volatile int *)&file->stream; }

// Where formatted text goes: into memory (with a limit) or to a stream.

enum { RADDLE_CHUNK = 128 };

struct raddle_sink {
    int stream; // -1: memory, -2: counted only
    char *memory;
    size_t room;
    size_t count;
    unsigned held;
    char chunk[RADDLE_CHUNK];
};

static void raddle_flush(struct raddle_sink *sink) {
    for (unsigned i = 0; i < sink->held; i++)
        __raddle_putchar(sink->stream, (unsigned char)sink->chunk[i]);
    sink->held = 0;
}

static void raddle_put(struct raddle_sink *sink, char c) {
    if (sink->stream == -1) {
        if (sink->count < sink->room)
            sink->memory[sink->count] = c;
    } else if (sink->stream >= 0) {
        sink->chunk[sink->held++] = c;
        if (sink->held == RADDLE_CHUNK)
            raddle_flush(sink);
    }
    sink->count++;
}

static void raddle_pad(struct raddle_sink *sink, char c, int n) {
    for (; n > 0; n--)
        raddle_put(sink, c);
}

enum { RADDLE_LEFT = 1, RADDLE_PLUS = 2, RADDLE_BLANK = 4, RADDLE_ALTERNATE = 8, RADDLE_ZERO = 16 };

// A piece of text in its field. `precision` < 0 means up to the terminator.
static void raddle_text(struct raddle_sink *sink, const char *text, int flags, int width, int precision) {
    int n = 0;
    while ((precision < 0 || n < precision) && text[n])
        n++;
    if (!(flags & RADDLE_LEFT))
        raddle_pad(sink, ' ', width - n);
    for (int i = 0; i < n; i++)
        raddle_put(sink, text[i]);
    if (flags & RADDLE_LEFT)
        raddle_pad(sink, ' ', width - n);
}

static void raddle_integer(struct raddle_sink *sink, unsigned long long value, int negative, char conversion,
                           int flags, int width, int precision) {
    char digits[24];
    int n = 0;
    unsigned base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
    const char *figures = conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned long long rest = value;
    for (; rest; rest /= base)
        digits[n++] = figures[rest % base];
    if (precision >= 0)
        flags &= ~RADDLE_ZERO;
    int zeros = precision < 0 ? !n : precision - n;
    if (zeros < 0)
        zeros = 0;
    if (conversion == 'o' && (flags & RADDLE_ALTERNATE) && !zeros)
        zeros = 1;
    char sign = negative ? '-' : flags & RADDLE_PLUS ? '+' : flags & RADDLE_BLANK ? ' ' : 0;
    int prefix = base == 16 && (flags & RADDLE_ALTERNATE) && value ? 2 : 0;
    int length = (sign ? 1 : 0) + prefix + zeros + n;
    if ((flags & RADDLE_ZERO) && !(flags & RADDLE_LEFT) && width > length) {
        zeros += width - length;
        length = width;
    }
    if (!(flags & RADDLE_LEFT))
        raddle_pad(sink, ' ', width - length);
    if (sign)
        raddle_put(sink, sign);
    if (prefix) {
        raddle_put(sink, '0');
        raddle_put(sink, conversion);
    }
    raddle_pad(sink, '0', zeros);
    while (n)
        raddle_put(sink, digits[--n]);
    if (flags & RADDLE_LEFT)
        raddle_pad(sink, ' ', width - length);
}

// How wide an integer argument is.
enum { RADDLE_CHAR, RADDLE_SHORT, RADDLE_INT, RADDLE_LONG, RADDLE_LLONG, RADDLE_INTMAX, RADDLE_SIZE, RADDLE_LDOUBLE };

static void raddle_format(struct raddle_sink *sink, const char *format, raddle_arguments arguments) {
    for (; *format; format++) {
        if (*format != '%') {
            raddle_put(sink, *format);
            continue;
        }
        int flags = 0, width = 0, precision = -1, size = RADDLE_INT, more = 1;
        format++;
        for (; more; format += more) {
            switch (*format) {
            case '-': flags |= RADDLE_LEFT; break;
            case '+': flags |= RADDLE_PLUS; break;
            case ' ': flags |= RADDLE_BLANK; break;
            case '#': flags |= RADDLE_ALTERNATE; break;
            case '0': flags |= RADDLE_ZERO; break;
            case '\'': break;
            default: more = 0;
            }
        }
        if (*format == '*') {
            width = __builtin_va_arg(arguments, int);
            if (width < 0) {
                flags |= RADDLE_LEFT;
                width = -width;
            }
            format++;
        } else {
            for (; *format >= '0' && *format <= '9'; format++)
                width = width * 10 + (*format - '0');
        }
        if (*format == '.') {
            precision = 0;
            format++;
            if (*format == '*') {
                precision = __builtin_va_arg(arguments, int);
                if (precision < 0)
                    precision = -1;
                format++;
            } else {
                for (; *format >= '0' && *format <= '9'; format++)
                    precision = precision * 10 + (*format - '0');
            }
        }
        for (more = 1; more; format += more) {
            switch (*format) {
            case 'h': size = size == RADDLE_SHORT ? RADDLE_CHAR : RADDLE_SHORT; break;
            case 'l': size = size == RADDLE_LONG ? RADDLE_LLONG : RADDLE_LONG; break;
            case 'q': size = RADDLE_LLONG; break;
            case 'j': size = RADDLE_INTMAX; break;
            case 'z':
            case 't': size = RADDLE_SIZE; break;
            case 'L': size = RADDLE_LDOUBLE; break;
            default: more = 0;
            }
        }
        char conversion = *format;
        switch (conversion) {
        case 'd':
        case 'i': {
            long long value;
            if (size == RADDLE_LLONG || size == RADDLE_INTMAX || size == RADDLE_LDOUBLE)
                value = __builtin_va_arg(arguments, long long);
            else if (size == RADDLE_LONG || size == RADDLE_SIZE)
                value = __builtin_va_arg(arguments, long);
            else
                value = __builtin_va_arg(arguments, int);
            if (size == RADDLE_SHORT)
                value = (short)value;
            if (size == RADDLE_CHAR)
                value = (signed char)value;
            unsigned long long magnitude = value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value;
            raddle_integer(sink, magnitude, value < 0, 'd', flags, width, precision);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long value;
            if (size == RADDLE_LLONG || size == RADDLE_INTMAX || size == RADDLE_LDOUBLE)
                value = __builtin_va_arg(arguments, unsigned long long);
            else if (size == RADDLE_LONG || size == RADDLE_SIZE)
                value = __builtin_va_arg(arguments, unsigned long);
            else
                value = __builtin_va_arg(arguments, unsigned);
            if (size == RADDLE_SHORT)
                value = (unsigned short)value;
            if (size == RADDLE_CHAR)
                value = (unsigned char)value;
            raddle_integer(sink, value, 0, conversion, flags & ~(RADDLE_PLUS | RADDLE_BLANK), width, precision);
            break;
        }
        case 'p': {
            __UINTPTR_TYPE__ value = (__UINTPTR_TYPE__)__builtin_va_arg(arguments, void *);
            if (value)
                raddle_integer(sink, value, 0, 'x', flags | RADDLE_ALTERNATE, width, precision);
            else
                raddle_text(sink, "(nil)", flags, width, -1);
            break;
        }
        case 'c': {
            char one = (char)__builtin_va_arg(arguments, int);
            if (!(flags & RADDLE_LEFT))
                raddle_pad(sink, ' ', width - 1);
            raddle_put(sink, one);
            if (flags & RADDLE_LEFT)
                raddle_pad(sink, ' ', width - 1);
            break;
        }
        case 's': {
            const char *text = __builtin_va_arg(arguments, const char *);
            raddle_text(sink, text ? text : precision < 0 || precision >= 6 ? "(null)" : "", flags, width, precision);
            break;
        }
        case 'm':
            raddle_text(sink, strerror(*__errno_location()), flags, width, precision);
            break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A': {
            double value;
            if (size == RADDLE_LDOUBLE)
                value = (double)__builtin_va_arg(arguments, long double);
            else
                value = __builtin_va_arg(arguments, double);
            for (int i = 0;; i++) {
                int c = __raddle_format_float(value, conversion, precision, flags, width, i);
                if (!c)
                    break;
                raddle_put(sink, (char)c);
            }
            break;
        }
        case 'n': {
            void *to = __builtin_va_arg(arguments, void *);
            if (size == RADDLE_LLONG || size == RADDLE_INTMAX)
                *(long long *)to = (long long)sink->count;
            else if (size == RADDLE_LONG || size == RADDLE_SIZE)
                *(long *)to = (long)sink->count;
            else if (size == RADDLE_SHORT)
                *(short *)to = (short)sink->count;
            else if (size == RADDLE_CHAR)
                *(signed char *)to = (signed char)sink->count;
            else
                *(int *)to = (int)sink->count;
            break;
        }
        case '%':
            raddle_put(sink, '%');
            break;
        case 0:
            return;
        default:
            raddle_put(sink, '%');
            raddle_put(sink, conversion);
        }
    }
}

static int raddle_print(int stream, const char *format, raddle_arguments arguments) {
    struct raddle_sink sink;
    sink.stream = stream < 0 ? -2 : stream;
    sink.memory = 0;
    sink.room = 0;
    sink.count = 0;
    sink.held = 0;
    raddle_format(&sink, format, arguments);
    raddle_flush(&sink);
    return (int)sink.count;
}

int vsnprintf(char *restrict to, size_t room, const char *restrict format, raddle_arguments arguments) {
    struct raddle_sink sink;
    sink.stream = -1;
    sink.memory = to;
    sink.room = room ? room - 1 : 0;
    sink.count = 0;
    sink.held = 0;
    raddle_format(&sink, format, arguments);
    if (room)
        to[sink.count < room ? sink.count : room - 1] = 0;
    return (int)sink.count;
}

int vsprintf(char *restrict to, const char *restrict format, raddle_arguments arguments) {
    return vsnprintf(to, ~(size_t)0, format, arguments);
}

int vfprintf(struct raddle_file *restrict file, const char *restrict format, raddle_arguments arguments) {
    return raddle_print(file->stream, format, arguments);
}

int vprintf(const char *restrict format, raddle_arguments arguments) { return raddle_print(1, format, arguments); }
void raddle_no_channel(int file);

int vdprintf(int stream, const char *restrict format, raddle_arguments arguments) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(stream);
    return raddle_print(stream, format, arguments);
}


int vasprintf(char **to, const char *format, raddle_arguments arguments) {
    raddle_arguments again;
    __builtin_va_copy(again, arguments);
    int n = vsnprintf(0, 0, format, again);
    __builtin_va_end(again);
    *to = __raddle_malloc((unsigned long)n + 1);
    return vsnprintf(*to, (size_t)n + 1, format, arguments);
}

int printf(const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = raddle_print(1, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int fprintf(struct raddle_file *restrict file, const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = raddle_print(file->stream, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int dprintf(int stream, const char *restrict format, ...) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(stream);
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = raddle_print(stream, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int sprintf(char *restrict to, const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = vsprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int snprintf(char *restrict to, size_t room, const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = vsnprintf(to, room, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int asprintf(char **to, const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = vasprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __printf_chk(int flag, const char *restrict format, ...) {
    raddle_arguments arguments;
    (void)flag;
    __builtin_va_start(arguments, format);
    int n = raddle_print(1, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __fprintf_chk(struct raddle_file *file, int flag, const char *restrict format, ...) {
    raddle_arguments arguments;
    (void)flag;
    __builtin_va_start(arguments, format);
    int n = raddle_print(file->stream, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __sprintf_chk(char *to, int flag, size_t size, const char *restrict format, ...) {
    raddle_arguments arguments;
    (void)flag;
    (void)size;
    __builtin_va_start(arguments, format);
    int n = vsprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __snprintf_chk(char *to, size_t room, int flag, size_t size, const char *restrict format, ...) {
    raddle_arguments arguments;
    (void)flag;
    (void)size;
    __builtin_va_start(arguments, format);
    int n = vsnprintf(to, room, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *restrict format, raddle_arguments arguments) {
    (void)flag;
    (void)size;
    return vsnprintf(to, room, format, arguments);
}

// Plain output

static void raddle_write(int stream, const char *text, size_t n) {
    struct raddle_sink sink;
    sink.stream = stream < 0 ? -2 : stream;
    sink.memory = 0;
    sink.room = 0;
    sink.count = 0;
    sink.held = 0;
    for (size_t i = 0; i < n; i++)
        raddle_put(&sink, text[i]);
    raddle_flush(&sink);
}

int fputc(int c, struct raddle_file *file) {
    if (file->stream >= 0)
        __raddle_putchar(file->stream, (unsigned char)c);
    return (unsigned char)c;
}

int putc(int c, struct raddle_file *file) { return fputc(c, file); }
int _IO_putc(int c, struct raddle_file *file) { return fputc(c, file); }
int putchar(int c) { return fputc(c, &raddle_out); }
int putchar_unlocked(int c) { return fputc(c, &raddle_out); }

int fputs(const char *restrict text, struct raddle_file *restrict file) {
    raddle_write(file->stream, text, strlen(text));
    return 1;
}

int puts(const char *text) {
    raddle_write(1, text, strlen(text));
    __raddle_putchar(1, '\n');
    return 1;
}

size_t fwrite(const void *restrict from, size_t size, size_t count, struct raddle_file *restrict file) {
    raddle_write(file->stream, from, size * count);
    return size ? count : 0;
}

void perror(const char *text) {
    int error = *__errno_location();
    if (text && *text)
        fprintf(&raddle_err, "%s: %s\n", text, strerror(error));
    else
        fprintf(&raddle_err, "%s\n", strerror(error));
}

// A null pointer means all streams here.
int fflush(struct raddle_file *file) {
    if (file)
        raddle_use(file);
    return __raddle_nondet_uint() ? 0 : -1;
}

int setvbuf(struct raddle_file *file, char *buffer, int mode, size_t size) { raddle_use(file); (void)buffer; (void)mode; (void)size; return 0; }
void setbuf(struct raddle_file *file, char *buffer) { raddle_use(file); (void)buffer; }
void setlinebuf(struct raddle_file *file) { raddle_use(file); }
void flockfile(struct raddle_file *file) { __raddle_mutex_lock(file->lock); }
int ftrylockfile(struct raddle_file *file) { return __raddle_mutex_trylock(file->lock) ? -1 : 0; }
void funlockfile(struct raddle_file *file) { __raddle_mutex_unlock(file->lock); }
int fileno(struct raddle_file *file) { return file->stream; }
int feof(struct raddle_file *file) { raddle_use(file); return __raddle_nondet_bool(); }
int ferror(struct raddle_file *file) { raddle_use(file); return __raddle_nondet_bool(); }
void clearerr(struct raddle_file *file) { raddle_use(file); }

// Input: any input

int fgetc(struct raddle_file *file) {
    raddle_use(file);
    return __raddle_nondet_bool() ? __raddle_nondet_uchar() : -1;
}

int getc(struct raddle_file *file) { return fgetc(file); }
int _IO_getc(struct raddle_file *file) { return fgetc(file); }
int getchar(void) { return fgetc(&raddle_in); }
int ungetc(int c, struct raddle_file *file) { raddle_use(file); return c; }

char *fgets(char *restrict to, int room, struct raddle_file *restrict file) {
    int n = 0;
    raddle_use(file);
    if (room <= 0 || !__raddle_nondet_bool())
        return 0;
    // Something was read, or the answer would be null; of a buffer of one character nothing is asked.
    while (n < room - 1 && (n == 0 || __raddle_nondet_bool())) {
        to[n] = (char)__raddle_nondet_uchar();
        if (to[n++] == '\n')
            break;
    }
    to[n] = 0;
    return to;
}

// A line of up to 15 characters and its delimiter, in memory that is made larger if need be; -1 at the end, or for an error.
long getdelim(char **restrict line, size_t *restrict room, int delimiter, struct raddle_file *restrict file) {
    raddle_use(file);
    if (!line || !room) {
        *__errno_location() = 22;
        return -1;
    }
    if (!*line || *room < 17) {
        char *larger = __raddle_malloc(120);
        if (*line)
            __raddle_free(*line);
        *line = larger;
        *room = 120;
    }
    char *to = *line;
    long n = 0;
    while (n < 15 && __raddle_nondet_bool()) {
        to[n] = (char)__raddle_nondet_uchar();
        if (to[n++] == (char)delimiter) {
            to[n] = 0;
            return n;
        }
    }
    if (n == 15)
        to[n++] = (char)delimiter;
    to[n] = 0;
    return n ? n : -1;
}

long getline(char **restrict line, size_t *restrict room, struct raddle_file *restrict file) {
    return getdelim(line, room, '\n', file);
}

size_t fread(void *restrict to, size_t size, size_t count, struct raddle_file *restrict file) {
    unsigned char *bytes = to;
    size_t n = __raddle_nondet_uint();
    raddle_use(file);
    if (n > count)
        n = count;
    for (size_t i = 0; i < n * size; i++)
        bytes[i] = __raddle_nondet_uchar();
    return n;
}

// Streams that are open are known to the library, so one that is never closed is no leak, as with glibc.
static struct raddle_stream *raddle_open_streams;
static long raddle_open_streams_lock[6];

static struct raddle_file *raddle_new_stream(void) {
    struct raddle_stream *new = __raddle_calloc(sizeof *new);
    new->file.stream = -1;
    new->file.lock[3] = new->file.lock[4] = 1;
    __raddle_mutex_lock(raddle_open_streams_lock);
    new->behind = raddle_open_streams;
    if (new->behind)
        new->behind->before = new;
    raddle_open_streams = new;
    __raddle_mutex_unlock(raddle_open_streams_lock);
    return &new->file;
}

// Ends a stream that was opened; the standard ones stay.
static void raddle_end_stream(struct raddle_file *file) {
    if (file->stream != -1)
        return;
    struct raddle_stream *old = (struct raddle_stream *)((char *)file - __builtin_offsetof(struct raddle_stream, file));
    __raddle_mutex_lock(raddle_open_streams_lock);
    if (old->before)
        old->before->behind = old->behind;
    else
        raddle_open_streams = old->behind;
    if (old->behind)
        old->behind->before = old->before;
    __raddle_mutex_unlock(raddle_open_streams_lock);
    __raddle_free(old);
}

struct raddle_file *fopen(const char *restrict name, const char *restrict mode) {
    (void)name;
    (void)mode;
    if (!__raddle_nondet_bool()) {
        *__errno_location() = 2;
        return 0;
    }
    return raddle_new_stream();
}

struct raddle_file *fopen64(const char *restrict name, const char *restrict mode) { return fopen(name, mode); }

int fclose(struct raddle_file *file) {
    raddle_end_stream(file);
    return __raddle_nondet_uint() ? 0 : -1;
}
