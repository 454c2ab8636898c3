// assert.h: what glibc's macro calls, and the function that some preprocessed programs declare. The text
// of the assertion is in the report, so nothing is printed here.

void __raddle_error(const char *message);
_Noreturn void __raddle_abort(void);

_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
    (void)expression;
    (void)file;
    (void)line;
    (void)function;
    __raddle_error("assertion failed");
    __raddle_abort();
}

_Noreturn void __assert(const char *expression, const char *file, int line) {
    __assert_fail(expression, file, (unsigned)line, 0);
}

_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    (void)error;
    __assert_fail(0, file, line, function);
}

void assert(int condition) {
    if (!condition)
        __assert_fail(0, 0, 0, 0);
}
