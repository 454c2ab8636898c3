// err.h, error.h, syslog.h: messages. `err` and its neighbours do not return.

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list raddle_arguments;

struct raddle_file;
extern struct raddle_file *stderr;
int fprintf(struct raddle_file *restrict file, const char *restrict format, ...);
int vfprintf(struct raddle_file *restrict file, const char *restrict format, raddle_arguments arguments);
int vsnprintf(char *restrict to, size_t room, const char *restrict format, raddle_arguments arguments);
char *strerror(int error);
int *__errno_location(void);
_Noreturn void exit(int status);

char *program_invocation_name = "program";
char *program_invocation_short_name = "program";
unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void raddle_message(int shows, int error, const char *format, raddle_arguments arguments) {
    fprintf(stderr, "program: ");
    if (format)
        vfprintf(stderr, format, arguments);
    if (shows)
        fprintf(stderr, format ? ": %s\n" : "%s\n", strerror(error));
    else
        fprintf(stderr, "\n");
}

void vwarn(const char *format, raddle_arguments arguments) { raddle_message(1, *__errno_location(), format, arguments); }
void vwarnx(const char *format, raddle_arguments arguments) { raddle_message(0, 0, format, arguments); }

_Noreturn void verr(int status, const char *format, raddle_arguments arguments) {
    vwarn(format, arguments);
    exit(status);
}

_Noreturn void verrx(int status, const char *format, raddle_arguments arguments) {
    vwarnx(format, arguments);
    exit(status);
}

void warn(const char *format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    vwarn(format, arguments);
    __builtin_va_end(arguments);
}

void warnx(const char *format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    vwarnx(format, arguments);
    __builtin_va_end(arguments);
}

_Noreturn void err(int status, const char *format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    verr(status, format, arguments);
}

_Noreturn void errx(int status, const char *format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    verrx(status, format, arguments);
}

void error(int status, int number, const char *format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    raddle_message(number != 0, number, format, arguments);
    __builtin_va_end(arguments);
    __atomic_fetch_add(&error_message_count, 1, 5);
    if (status)
        exit(status);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    fprintf(stderr, "%s:%u: ", file ? file : "", line);
    raddle_message(number != 0, number, format, arguments);
    __builtin_va_end(arguments);
    __atomic_fetch_add(&error_message_count, 1, 5);
    if (status)
        exit(status);
}

// What is logged is read, and goes nowhere.

void openlog(const char *name, int options, int facility) { (void)name; (void)options; (void)facility; }
void closelog(void) {}
int setlogmask(int mask) { (void)mask; return 255; }
void vsyslog(int priority, const char *format, raddle_arguments arguments) { (void)priority; vsnprintf(0, 0, format, arguments); }

void syslog(int priority, const char *format, ...) {
    raddle_arguments arguments;
    __builtin_va_start(arguments, format);
    vsyslog(priority, format, arguments);
    __builtin_va_end(arguments);
}
