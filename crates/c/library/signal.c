// signal.h without signals: handlers are remembered and never called (the answer says so). Sending signals is not supported.

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
int *__errno_location(void);
void __raddle_assume(int condition);
unsigned __raddle_nondet_uint(void);
unsigned long __raddle_nondet_ulong(void);

enum { RADDLE_SEQ_CST = 5, RADDLE_EINTR = 4, RADDLE_EINVAL = 22, RADDLE_SIGNALS = 65 };

typedef void (*raddle_signal_handler)(int);

// Of a set only the first 64 bits are used; 32 and 33 belong to the C library.
static int raddle_is_signal(int number) { return number >= 1 && number <= 64 && number != 32 && number != 33; }

static int raddle_invalid(void) {
    *__errno_location() = RADDLE_EINVAL;
    return -1;
}

static unsigned long long raddle_signal_bit(int number) { return 1ull << (number - 1); }

int sigemptyset(unsigned long long *set) {
    if (!set)
        return raddle_invalid();
    *set = 0;
    return 0;
}

int sigfillset(unsigned long long *set) {
    if (!set)
        return raddle_invalid();
    *set = ~(raddle_signal_bit(32) | raddle_signal_bit(33));
    return 0;
}

int sigaddset(unsigned long long *set, int number) {
    if (!set || !raddle_is_signal(number))
        return raddle_invalid();
    *set |= raddle_signal_bit(number);
    return 0;
}

int sigdelset(unsigned long long *set, int number) {
    if (!set || !raddle_is_signal(number))
        return raddle_invalid();
    *set &= ~raddle_signal_bit(number);
    return 0;
}

int sigismember(const unsigned long long *set, int number) {
    if (!set || number < 1 || number > 64)
        return raddle_invalid();
    return (*set & raddle_signal_bit(number)) != 0;
}

int sigisemptyset(const unsigned long long *set) { return set ? *set == 0 : raddle_invalid(); }

struct raddle_action {
    raddle_signal_handler handler;
    unsigned long long mask[16];
    int flags;
    void (*restorer)(void);
};

static raddle_signal_handler raddle_handler_of[RADDLE_SIGNALS];
static int raddle_flags_of[RADDLE_SIGNALS];

int sigaction(int number, const struct raddle_action *new, struct raddle_action *old) {
    if (!raddle_is_signal(number) || (new && (number == 9 || number == 19)))
        return raddle_invalid();
    raddle_signal_handler was;
    int flags;
    if (new) {
        raddle_signal_handler handler = new->handler;
        int new_flags = new->flags;
        was = __atomic_exchange_n(&raddle_handler_of[number], handler, RADDLE_SEQ_CST);
        flags = __atomic_exchange_n(&raddle_flags_of[number], new_flags, RADDLE_SEQ_CST);
    } else {
        was = __atomic_load_n(&raddle_handler_of[number], RADDLE_SEQ_CST);
        flags = __atomic_load_n(&raddle_flags_of[number], RADDLE_SEQ_CST);
    }
    if (old) {
        old->handler = was;
        old->flags = flags;
        old->mask[0] = __raddle_nondet_ulong();
    }
    return 0;
}

raddle_signal_handler signal(int number, raddle_signal_handler handler) {
    if (!raddle_is_signal(number) || number == 9 || number == 19 || handler == (raddle_signal_handler)-1) {
        raddle_invalid();
        return (raddle_signal_handler)-1;
    }
    return __atomic_exchange_n(&raddle_handler_of[number], handler, RADDLE_SEQ_CST);
}

raddle_signal_handler bsd_signal(int number, raddle_signal_handler handler) { return signal(number, handler); }
raddle_signal_handler __sysv_signal(int number, raddle_signal_handler handler) { return signal(number, handler); }
raddle_signal_handler sysv_signal(int number, raddle_signal_handler handler) { return signal(number, handler); }
int siginterrupt(int number, int interrupts) { (void)interrupts; return raddle_is_signal(number) ? 0 : raddle_invalid(); }
int sigaltstack(const void *new, void *old) { (void)new; return old ? raddle_invalid() : 0; }

int pthread_sigmask(int how, const unsigned long long *new, unsigned long long *old) {
    if (new) {
        unsigned long long looked_at = *new;
        (void)looked_at;
        if (how < 0 || how > 2)
            return RADDLE_EINVAL;
    }
    if (old)
        *old = __raddle_nondet_ulong() & ~(raddle_signal_bit(9) | raddle_signal_bit(19));
    return 0;
}

int sigprocmask(int how, const unsigned long long *new, unsigned long long *old) {
    return pthread_sigmask(how, new, old) ? raddle_invalid() : 0;
}

int sigpending(unsigned long long *set) {
    *set = __raddle_nondet_ulong();
    return 0;
}

// Signals from outside can be waited for: any of the set.
int sigwait(const unsigned long long *set, int *number) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    unsigned long long waited = *set;
    unsigned any = __raddle_nondet_uint();
    __raddle_assume(any >= 1 && any <= 64 && (waited & raddle_signal_bit((int)any)));
    *number = (int)any;
    return 0;
}

// These return only after a handler, so not at all.
int pause(void) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    __raddle_assume(0);
    return -1;
}

int sigsuspend(const unsigned long long *set) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    unsigned long long looked_at = *set;
    (void)looked_at;
    __raddle_assume(0);
    return -1;
}
