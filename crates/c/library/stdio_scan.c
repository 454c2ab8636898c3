// The reading half of stdio.h's formats. sscanf is exact for integers, characters, strings and sets; floating
// point goes through strtod. Reading from a stream yields any input: any number of the conversions succeeds,
// each with any value.

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list raddle_arguments;

_Bool __raddle_nondet_bool(void);
unsigned char __raddle_nondet_uchar(void);
unsigned long long __raddle_nondet_ullong(void);
double __raddle_nondet_double(void);
void __raddle_assume(int condition);
double strtod(const char *restrict s, char **restrict end);

struct raddle_field {
    int drop;     // `*`: read, do not store
    int width;    // 0: none given
    int size;     // bytes of an integer
    int wide;     // for floating point: 0 float, 1 double, 2 long double
    int inverted; // `%[^`
    const char *set, *set_end;
    char conversion;
};

static int raddle_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Reads a conversion behind its `%` and returns its last character.
static const char *raddle_read_field(const char *format, struct raddle_field *field) {
    field->drop = field->width = field->wide = field->inverted = 0;
    field->size = sizeof(int);
    field->set = field->set_end = 0;
    if (*format == '*') {
        field->drop = 1;
        format++;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        field->width = field->width * 10 + (*format - '0');
    for (;; format++) {
        if (*format == 'h') {
            field->size = field->size == sizeof(short) ? sizeof(char) : sizeof(short);
        } else if (*format == 'l') {
            field->size = field->wide ? sizeof(long long) : sizeof(long);
            field->wide = 1;
        } else if (*format == 'q' || *format == 'j') {
            field->size = sizeof(long long);
        } else if (*format == 'L') {
            field->size = sizeof(long long);
            field->wide = 2;
        } else if (*format == 'z' || *format == 't') {
            field->size = sizeof(size_t);
        } else {
            break;
        }
    }
    field->conversion = *format;
    if (*format == '[') {
        format++;
        if (*format == '^') {
            field->inverted = 1;
            format++;
        }
        field->set = format;
        if (*format)
            format++;
        while (*format && *format != ']')
            format++;
        field->set_end = format;
    }
    return format;
}

static int raddle_in_set(char c, const struct raddle_field *field) {
    int found = 0;
    for (const char *at = field->set; at < field->set_end; at++) {
        if (at + 2 < field->set_end && at[1] == '-') {
            found |= (unsigned char)c >= (unsigned char)at[0] && (unsigned char)c <= (unsigned char)at[2];
            at += 2;
        } else {
            found |= c == *at;
        }
    }
    return found != field->inverted;
}

static void raddle_store_integer(void *to, int size, unsigned long long value) {
    if (size == 1)
        *(char *)to = (char)value;
    else if (size == 2)
        *(short *)to = (short)value;
    else if (size == 4)
        *(int *)to = (int)value;
    else
        *(long long *)to = (long long)value;
}

static void raddle_store_floating(void *to, int wide, double value) {
    if (wide == 0)
        *(float *)to = (float)value;
    else if (wide == 1)
        *(double *)to = value;
    else
        *(long double *)to = value;
}

static int raddle_figure(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

// Returns where the integer ends, or null if there is none.
static const char *raddle_scan_integer(const char *s, const struct raddle_field *field, unsigned long long *result) {
    int left = field->width ? field->width : 0x7fffffff, negative = 0, any = 0;
    int base = field->conversion == 'x' || field->conversion == 'X' || field->conversion == 'p' ? 16
               : field->conversion == 'o' ? 8
               : field->conversion == 'i' ? 0
                                          : 10;
    unsigned long long value = 0;
    if ((*s == '+' || *s == '-') && left) {
        negative = *s++ == '-';
        left--;
    }
    if ((base == 0 || base == 16) && left >= 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        any = 1;
        s += 2;
        left -= 2; // a bare 0x counts as 0, as in glibc
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    for (; left && raddle_figure(*s) < base; s++, left--, any = 1)
        value = value * (unsigned)base + (unsigned)raddle_figure(*s);
    *result = negative ? 0ull - value : value;
    return any ? s : 0;
}

int vsscanf(const char *restrict text, const char *restrict format, raddle_arguments arguments) {
    const char *s = text;
    int stored = 0;
    for (; *format; format++) {
        struct raddle_field field;
        if (raddle_blank(*format)) {
            while (raddle_blank(*s))
                s++;
            continue;
        }
        if (*format != '%') {
            if (*s != *format)
                return *s || stored ? stored : -1;
            s++;
            continue;
        }
        format = raddle_read_field(format + 1, &field);
        char conversion = field.conversion;
        if (conversion != 'c' && conversion != '[' && conversion != 'n')
            while (raddle_blank(*s))
                s++;
        if (conversion == 'n') {
            if (!field.drop)
                raddle_store_integer(__builtin_va_arg(arguments, void *), field.size, (unsigned long long)(s - text));
            continue;
        }
        if (!*s)
            return stored ? stored : -1;
        switch (conversion) {
        case '%':
            if (*s != '%')
                return stored;
            s++;
            continue;
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
        case 'p': {
            unsigned long long value;
            const char *end = raddle_scan_integer(s, &field, &value);
            if (!end)
                return stored;
            s = end;
            if (!field.drop)
                raddle_store_integer(__builtin_va_arg(arguments, void *), conversion == 'p' ? (int)sizeof(void *) : field.size, value);
            break;
        }
        case 'a':
        case 'e':
        case 'f':
        case 'g':
        case 'A':
        case 'E':
        case 'F':
        case 'G': {
            char *end;
            double value = strtod(s, &end);
            if (end == s)
                return stored;
            s = end;
            if (!field.drop)
                raddle_store_floating(__builtin_va_arg(arguments, void *), field.wide, value);
            break;
        }
        case 'c': {
            char *to = field.drop ? 0 : __builtin_va_arg(arguments, char *);
            for (int n = field.width ? field.width : 1; n; n--, s++) {
                if (!*s)
                    return stored ? stored : -1;
                if (to)
                    *to++ = *s;
            }
            break;
        }
        case 's':
        case '[': {
            char *to = field.drop ? 0 : __builtin_va_arg(arguments, char *);
            int n = 0;
            for (; *s && (!field.width || n < field.width); s++, n++) {
                if (conversion == 's' ? raddle_blank(*s) : !raddle_in_set(*s, &field))
                    break;
                if (to)
                    *to++ = *s;
            }
            if (!n)
                return stored;
            if (to)
                *to = 0;
            break;
        }
        default:
            return stored;
        }
        if (!field.drop)
            stored++;
    }
    return stored;
}

// From a stream: any input.
static int raddle_scan_anything(const char *format, raddle_arguments arguments) {
    int stored = 0;
    for (; *format; format++) {
        struct raddle_field field;
        if (*format != '%')
            continue;
        format = raddle_read_field(format + 1, &field);
        if (field.conversion == '%' || field.drop)
            continue;
        if (!__raddle_nondet_bool())
            return stored ? stored : __raddle_nondet_bool() ? 0 : -1;
        void *to = __builtin_va_arg(arguments, void *);
        switch (field.conversion) {
        case 'c':
            for (int n = 0; n < (field.width ? field.width : 1); n++)
                ((char *)to)[n] = (char)__raddle_nondet_uchar();
            break;
        case 's':
        case '[': {
            int n = 0;
            do {
                char c = (char)__raddle_nondet_uchar();
                __raddle_assume(c && (field.conversion == 's' ? !raddle_blank(c) : raddle_in_set(c, &field)));
                ((char *)to)[n++] = c;
            } while ((!field.width || n < field.width) && __raddle_nondet_bool());
            ((char *)to)[n] = 0;
            break;
        }
        case 'a':
        case 'e':
        case 'f':
        case 'g':
        case 'A':
        case 'E':
        case 'F':
        case 'G':
            raddle_store_floating(to, field.wide, __raddle_nondet_double());
            break;
        case 'p':
            raddle_store_integer(to, sizeof(void *), __raddle_nondet_ullong());
            break;
        case 'n':
            raddle_store_integer(to, field.size, __raddle_nondet_ullong() >> (65 - 8 * field.size)); // not negative
            break;
        default:
            raddle_store_integer(to, field.size, __raddle_nondet_ullong());
        }
        if (field.conversion != 'n')
            stored++;
    }
    return stored;
}

int vscanf(const char *restrict format, raddle_arguments arguments) { return raddle_scan_anything(format, arguments); }

int vfscanf(void *restrict file, const char *restrict format, raddle_arguments arguments) {
    (void)*(volatile int *)file;
    return raddle_scan_anything(format, arguments);
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = vsscanf(text, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc99_sscanf(const char *restrict text, const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = vsscanf(text, format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int scanf(const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = raddle_scan_anything(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc99_scanf(const char *restrict format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    int n = raddle_scan_anything(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int fscanf(void *restrict file, const char *restrict format, ...) {
    raddle_arguments arguments;
    (void)*(volatile int *)file;
    __builtin_va_start(arguments, format);
    int n = raddle_scan_anything(format, arguments);
    __builtin_va_end(arguments);
    return n;
}

int __isoc99_fscanf(void *restrict file, const char *restrict format, ...) {
    raddle_arguments arguments;
    (void)*(volatile int *)file;
    __builtin_va_start(arguments, format);
    int n = raddle_scan_anything(format, arguments);
    __builtin_va_end(arguments);
    return n;
}
