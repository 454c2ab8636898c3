// time.h and sys/time.h: clocks show any time; sleeping takes none, and others may run meanwhile.

typedef long time_t;
typedef __SIZE_TYPE__ size_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct timeval {
    time_t tv_sec;
    long tv_usec;
};

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
unsigned long long __raddle_nondet_ullong(void);
void __raddle_yield(void);
int *__errno_location(void);
_Bool __raddle_nondet_bool(void);
unsigned __raddle_nondet_uint(void);

enum { RADDLE_SEQ_CST = 5, RADDLE_EINVAL = 22, RADDLE_EPERM = 1, RADDLE_EOVERFLOW = 75, RADDLE_ENOTSUP = 95, RADDLE_FRACTION = 0x3fffffff };

// A time is a number: seconds, and thirty bits for what is less than one. Those are more than nanoseconds need, so the last ones are the same.
static time_t raddle_seconds(unsigned long long time) {
    return (time_t)(time >> (sizeof(long) == 8 ? 30 : 32));
}

static long raddle_nanoseconds(unsigned long long time) {
    long fraction = (long)((sizeof(long) == 8 ? time : time >> 2) & RADDLE_FRACTION);
    return fraction > 999999999 ? 999999999 : fraction;
}

// Any time: clocks can be set.
static unsigned long long raddle_any_time(void) { return __raddle_nondet_ullong() >> 1; }

// A time that is not before any that was asked for earlier, by whomever.
static unsigned long long raddle_clock;
static unsigned long long raddle_later(void) {
    return __atomic_add_fetch(&raddle_clock, __raddle_nondet_ullong() >> 10, RADDLE_SEQ_CST);
}

time_t time(time_t *result) {
    time_t now = raddle_seconds(raddle_any_time());
    if (result)
        *result = now;
    return now;
}

long clock(void) { return (long)(raddle_later() >> (sizeof(long) == 8 ? 10 : 32)); }
double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

// CLOCK_REALTIME, its coarse kind and that of its alarms can be set; the others cannot.
int clock_gettime(int clock, struct timespec *now) {
    unsigned long long time = clock == 0 || clock == 5 || clock == 8 || clock == 11 ? raddle_any_time() : raddle_later();
    now->tv_sec = raddle_seconds(time);
    now->tv_nsec = raddle_nanoseconds(time);
    return 0;
}

int clock_getres(int clock, struct timespec *resolution) {
    (void)clock;
    if (resolution) {
        resolution->tv_sec = 0;
        resolution->tv_nsec = 1;
    }
    return 0;
}

int timespec_get(struct timespec *now, int base) {
    clock_gettime(0, now);
    return base;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    unsigned long long time = raddle_any_time();
    long fraction = raddle_nanoseconds(time) >> 10;
    now->tv_sec = raddle_seconds(time);
    now->tv_usec = fraction > 999999 ? 999999 : fraction;
    return 0;
}

// No signal interrupts a sleep, so nothing is left of it.
int clock_nanosleep(int clock, int flags, const struct timespec *duration, struct timespec *remaining) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)flags;
    (void)remaining;
    // Clocks of the processor time of single threads cannot be slept on, nor can coarse ones.
    if (clock < 0 || clock == 3 || clock == 10 || clock > 11)
        return RADDLE_EINVAL;
    if (clock == 4 || clock == 5 || clock == 6)
        return RADDLE_ENOTSUP;
    if (duration->tv_sec < 0 || duration->tv_nsec < 0 || duration->tv_nsec >= 1000000000)
        return RADDLE_EINVAL;
    __raddle_yield();
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
    int error = clock_nanosleep(0, 0, duration, remaining);
    if (!error)
        return 0;
    *__errno_location() = error;
    return -1;
}

int clock_settime(int clock, const struct timespec *now) {
    (void)clock;
    int error = now->tv_nsec < 0 || now->tv_nsec >= 1000000000 ? RADDLE_EINVAL : __raddle_nondet_bool() ? RADDLE_EPERM : 0;
    if (!error)
        return 0;
    *__errno_location() = error;
    return -1;
}

int settimeofday(const struct timeval *now, const void *zone) {
    (void)zone;
    int error = now && (now->tv_usec < 0 || now->tv_usec > 999999) ? RADDLE_EINVAL : __raddle_nondet_bool() ? RADDLE_EPERM : 0;
    if (!error)
        return 0;
    *__errno_location() = error;
    return -1;
}

// The calendar

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

static int raddle_is_leap(long long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Days before a month of a year that is not a leap year.
static int raddle_days_before(int month) {
    static const int days[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return days[month];
}

static long long raddle_floor(long long n, long long by) { return n / by - (n % by < 0); }

// Days from the beginning of 1970 to that of the year.
static long long raddle_days_to_year(long long year) {
    long long before = year - 1;
    return 365 * (year - 1970) + raddle_floor(before, 4) - raddle_floor(before, 100) + raddle_floor(before, 400) - 477;
}

// Seconds of the 400 years after which the calendar repeats itself, and those from the first of March of the year 0 to 1970.
static const long long raddle_era = 12622780800, raddle_since_march = 62162035200;

// Fills in what a count of seconds since 1970 means; 0 if the year is too large. A year begins in March here, so that a leap day is its last
// one. Without loops and tables, and with few and narrow divisions, for the sake of those who calculate with any time.
static int raddle_calendar(long long seconds, struct tm *result) {
    long long era;
    if (seconds >= 4 * raddle_era - raddle_since_march && seconds < 6 * raddle_era - raddle_since_march) // 1600 to 2400
        era = seconds < 5 * raddle_era - raddle_since_march ? 4 : 5;
    else
        era = raddle_floor(seconds, raddle_era) + (seconds - raddle_floor(seconds, raddle_era) * raddle_era >= 5 * raddle_era - raddle_since_march) + 4;
    unsigned long long in_era = (unsigned long long)(seconds - (era * raddle_era - raddle_since_march));
    unsigned day = (unsigned)(in_era >> 7) / 675; // a day has 675 * 128 seconds
    unsigned second = (unsigned)(in_era - (unsigned long long)day * 86400);
    unsigned weekday = (day + 3) % 7;
    unsigned century = (day >= 36524) + (day >= 73048) + (day >= 109572);
    day -= century * 36524;
    unsigned fours = day / 1461;
    day -= fours * 1461;
    unsigned single = (day >= 365) + (day >= 730) + (day >= 1095);
    day -= single * 365;
    unsigned month = (5 * day + 2) / 153, in_year = century * 100 + fours * 4 + single;
    int next = month >= 10;
    long long year = era * 400 + in_year + next;
    if (year - 1900 > 2147483647 || year - 1900 < -2147483647 - 1)
        return 0;
    int leap = !single && (fours || !century);
    result->tm_yday = (int)day + (next ? -306 : 59 + leap);
    result->tm_mday = (int)(day - (153 * month + 2) / 5) + 1;
    result->tm_mon = (int)month + (next ? -10 : 2);
    result->tm_year = (int)(year - 1900);
    result->tm_wday = (int)weekday;
    result->tm_hour = (int)(second / 3600);
    result->tm_min = (int)(second % 3600 / 60);
    result->tm_sec = (int)(second % 60);
    return 1;
}

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict result) {
    if (!raddle_calendar(*time, result)) {
        *__errno_location() = RADDLE_EOVERFLOW;
        return 0;
    }
    result->tm_isdst = 0;
    result->tm_gmtoff = 0;
    result->tm_zone = "GMT";
    return result;
}

// The zone: an offset in quarters of an hour, chosen when it is needed for the first time; in summer it is an hour more.

static int raddle_zone_chosen;

static int raddle_zone(void) {
    int none = 0, any = (int)(__raddle_nondet_uint() % 105) + 1; // -12 h to 14 h
    int quarters = __atomic_compare_exchange_n(&raddle_zone_chosen, &none, any, 0, RADDLE_SEQ_CST, RADDLE_SEQ_CST) ? any : none;
    return (quarters - 49) * 900;
}

static int raddle_local(long long seconds, int summer, struct tm *result) {
    int offset = raddle_zone() + (summer ? 3600 : 0);
    if (!raddle_calendar(seconds + offset, result)) {
        *__errno_location() = RADDLE_EOVERFLOW;
        return 0;
    }
    result->tm_isdst = summer;
    result->tm_gmtoff = offset;
    result->tm_zone = summer ? "SUM" : "STD";
    return 1;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict result) {
    return raddle_local(*time, __raddle_nondet_bool(), result) ? result : 0;
}

// One plain object for both of these, since they are not thread-safe: two threads that use them race.
static struct tm raddle_tm;

struct tm *gmtime(const time_t *time) { return gmtime_r(time, &raddle_tm); }
struct tm *localtime(const time_t *time) { return localtime_r(time, &raddle_tm); }

// Seconds from 1970 to a time whose parts may be out of their ranges.
static long long raddle_from_calendar(const struct tm *t) {
    long long months = (long long)t->tm_year * 12 + t->tm_mon, year = raddle_floor(months, 12) + 1900;
    int month = (int)(months - (year - 1900) * 12);
    long long days = raddle_days_to_year(year) + raddle_days_before(month) + (month >= 2 && raddle_is_leap(year)) + t->tm_mday - 1;
    return ((days * 24 + t->tm_hour) * 60 + t->tm_min) * 60 + t->tm_sec;
}

static time_t raddle_too_late(void) {
    *__errno_location() = RADDLE_EOVERFLOW;
    return -1;
}

time_t timegm(struct tm *t) {
    long long seconds = raddle_from_calendar(t);
    time_t result = (time_t)seconds;
    if (result != seconds)
        return raddle_too_late();
    struct tm normal;
    if (!gmtime_r(&result, &normal))
        return raddle_too_late();
    *t = normal;
    return result;
}

time_t mktime(struct tm *t) {
    int summer = t->tm_isdst < 0 ? __raddle_nondet_bool() : t->tm_isdst > 0;
    long long seconds = raddle_from_calendar(t) - raddle_zone() - (summer ? 3600 : 0);
    time_t result = (time_t)seconds;
    if (result != seconds)
        return raddle_too_late();
    struct tm normal;
    if (!raddle_local(seconds, __raddle_nondet_bool(), &normal))
        return raddle_too_late();
    *t = normal;
    return result;
}

time_t timelocal(struct tm *t) { return mktime(t); }

char *tzname[2] = {"STD", "SUM"};
int daylight;
long timezone;

void tzset(void) {
    timezone = -raddle_zone();
    daylight = __raddle_nondet_bool();
}

// Text. The buffers of asctime and ctime are one plain object.

static const char *raddle_weekday(int day) {
    static const char *const names[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    return day < 0 || day > 6 ? "???" : names[day];
}

static const char *raddle_month(int month) {
    static const char *const names[12] = {"January", "February", "March", "April", "May", "June", "July", "August",
                                          "September", "October", "November", "December"};
    return month < 0 || month > 11 ? "???" : names[month];
}

struct raddle_text {
    char *to;
    size_t room, count;
};

static void raddle_add(struct raddle_text *out, char c) {
    if (out->count < out->room)
        out->to[out->count] = c;
    out->count++;
}

static void raddle_add_word(struct raddle_text *out, const char *word, int most, int flag, int width) {
    int n = 0;
    while (word[n] && n < most)
        n++;
    for (int i = n; i < width; i++)
        raddle_add(out, flag == '0' ? '0' : ' ');
    for (int i = 0; i < n; i++)
        raddle_add(out, flag == '^' && word[i] >= 'a' && word[i] <= 'z' ? (char)(word[i] - 32) : word[i]);
}

// Three letters of a table; "???" behind its last ones for an index out of range.
static void raddle_add_three(struct raddle_text *out, const char *table, unsigned count, int index, int flag, int width) {
    unsigned at = 3 * ((unsigned)index < count ? (unsigned)index : count);
    char word[4] = {table[at], table[at + 1], table[at + 2], 0};
    if (flag || width > 3) {
        raddle_add_word(out, word, 3, flag, width);
        return;
    }
    for (int i = 0; i < 3; i++)
        raddle_add(out, word[i]);
}

static const char raddle_weekdays[] = "SunMonTueWedThuFriSat???";
static const char raddle_months[] = "JanFebMarAprMayJunJulAugSepOctNovDec???";

// A number with at least that many digits; the flag and the width given in the format override them.
static void raddle_add_number(struct raddle_text *out, long long value, int digits, char pad, int flag, int width) {
    char text[24];
    int n = 0, negative = value < 0;
    unsigned long long rest = negative ? 0ull - (unsigned long long)value : (unsigned long long)value;
    do
        text[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (flag == '_')
        pad = ' ';
    if (flag == '0')
        pad = '0';
    if (flag == '-')
        digits = width = 0;
    if (width > digits)
        digits = width;
    if (pad == ' ') {
        for (int i = n + negative; i < digits; i++)
            raddle_add(out, ' ');
        digits = 0;
    }
    if (negative)
        raddle_add(out, '-');
    for (int i = n + negative; i < digits; i++)
        raddle_add(out, '0');
    while (n)
        raddle_add(out, text[--n]);
}

// A number of two digits. C leaves open what is written for one that is out of its range.
static void raddle_add_two(struct raddle_text *out, int value, char pad, int flag, int width) {
    if (flag || width > 2) {
        raddle_add_number(out, value, 2, pad, flag, width);
        return;
    }
    unsigned two = (unsigned)value % 100;
    raddle_add(out, pad == ' ' && two < 10 ? ' ' : (char)('0' + two / 10));
    raddle_add(out, (char)('0' + two % 10));
}

// A year: four digits, almost always.
static void raddle_add_year(struct raddle_text *out, long long year, int flag, int width) {
    if (flag || width > 4 || year < 1000 || year > 9999) {
        raddle_add_number(out, year, 1, '0', flag, width);
        return;
    }
    unsigned century = (unsigned)year / 100;
    raddle_add_two(out, (int)century, '0', 0, 0);
    raddle_add_two(out, (int)((unsigned)year - century * 100), '0', 0, 0);
}

// "Thu Jan  1 00:00:00 1970\n". What is written for members out of their range is not defined.
static char *raddle_asctime(const struct tm *t, char *to, size_t room) {
    if (t->tm_year > 2147483647 - 1900) {
        *__errno_location() = RADDLE_EOVERFLOW;
        return 0;
    }
    struct raddle_text out = {to, room, 0};
    raddle_add_three(&out, raddle_weekdays, 7, t->tm_wday, 0, 0);
    raddle_add(&out, ' ');
    raddle_add_three(&out, raddle_months, 12, t->tm_mon, 0, 0);
    raddle_add(&out, ' ');
    raddle_add_two(&out, t->tm_mday, ' ', 0, 0);
    raddle_add(&out, ' ');
    raddle_add_two(&out, t->tm_hour, '0', 0, 0);
    raddle_add(&out, ':');
    raddle_add_two(&out, t->tm_min, '0', 0, 0);
    raddle_add(&out, ':');
    raddle_add_two(&out, t->tm_sec, '0', 0, 0);
    raddle_add(&out, ' ');
    raddle_add_year(&out, 1900 + (long long)t->tm_year, 0, 0);
    raddle_add(&out, '\n');
    if (out.count >= room) {
        *__errno_location() = RADDLE_EOVERFLOW;
        return 0;
    }
    to[out.count] = 0;
    return to;
}

static char raddle_asctime_text[114];

char *asctime_r(const struct tm *restrict t, char *restrict to) { return raddle_asctime(t, to, 26); }
char *asctime(const struct tm *t) { return raddle_asctime(t, raddle_asctime_text, sizeof raddle_asctime_text); }

char *ctime(const time_t *time) {
    struct tm *t = localtime(time);
    return t ? asctime(t) : 0;
}

char *ctime_r(const time_t *time, char *to) {
    struct tm t;
    return localtime_r(time, &t) ? asctime_r(&t, to) : 0;
}

// strftime in the C locale.

// The week of the year by ISO 8601, and the year that it belongs to.
static int raddle_iso_week(const struct tm *t, long long *year) {
    int weekday = (t->tm_wday + 6) % 7, week = (t->tm_yday - weekday + 10) / 7;
    *year = (long long)t->tm_year + 1900;
    int first = (((t->tm_wday - t->tm_yday) % 7) + 7 + 371) % 7; // weekday of the first of January
    if (week < 1) {
        *year -= 1;
        int longer = raddle_is_leap(*year);
        int before = (first + 7 - 1 - longer) % 7; // that of the year before
        return before == 4 || (before == 3 && longer) ? 53 : 52;
    }
    if (week == 53 && !(first == 4 || (first == 3 && raddle_is_leap(*year)))) {
        *year += 1;
        return 1;
    }
    return week;
}

static void raddle_strftime(struct raddle_text *out, const char *format, const struct tm *t) {
    for (; *format; format++) {
        if (*format != '%') {
            raddle_add(out, *format);
            continue;
        }
        const char *begin = format++;
        int flag = 0, width = 0;
        for (; *format == '_' || *format == '-' || *format == '0' || *format == '^' || *format == '#'; format++)
            flag = *format;
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*format - '0');
        if (*format == 'E' || *format == 'O')
            format++;
        long long year = (long long)t->tm_year + 1900, of_week;
        int hour12 = t->tm_hour % 12 ? t->tm_hour % 12 : 12;
        switch (*format) {
        case '%': raddle_add(out, '%'); break;
        case 'n': raddle_add(out, '\n'); break;
        case 't': raddle_add(out, '\t'); break;
        case 'a': raddle_add_three(out, raddle_weekdays, 7, t->tm_wday, flag, width); break;
        case 'A': raddle_add_word(out, raddle_weekday(t->tm_wday), 9, flag, width); break;
        case 'b':
        case 'h': raddle_add_three(out, raddle_months, 12, t->tm_mon, flag, width); break;
        case 'B': raddle_add_word(out, raddle_month(t->tm_mon), 9, flag, width); break;
        case 'p': raddle_add_word(out, t->tm_hour >= 12 ? "PM" : "AM", 2, flag, width); break;
        case 'P': raddle_add_word(out, t->tm_hour >= 12 ? "pm" : "am", 2, flag, width); break;
        case 'Z': raddle_add_word(out, t->tm_zone ? t->tm_zone : "", 100, flag, width); break;
        case 'c': raddle_strftime(out, "%a %b %e %H:%M:%S %Y", t); break;
        case 'D':
        case 'x': raddle_strftime(out, "%m/%d/%y", t); break;
        case 'F': raddle_strftime(out, "%Y-%m-%d", t); break;
        case 'r': raddle_strftime(out, "%I:%M:%S %p", t); break;
        case 'R': raddle_strftime(out, "%H:%M", t); break;
        case 'T':
        case 'X': raddle_strftime(out, "%H:%M:%S", t); break;
        case 'C': raddle_add_number(out, raddle_floor(year, 100), 1, '0', flag, width); break;
        case 'd': raddle_add_two(out, t->tm_mday, '0', flag, width); break;
        case 'e': raddle_add_two(out, t->tm_mday, ' ', flag, width); break;
        case 'H': raddle_add_two(out, t->tm_hour, '0', flag, width); break;
        case 'k': raddle_add_two(out, t->tm_hour, ' ', flag, width); break;
        case 'I': raddle_add_two(out, hour12, '0', flag, width); break;
        case 'l': raddle_add_two(out, hour12, ' ', flag, width); break;
        case 'j': raddle_add_number(out, t->tm_yday + 1, 3, '0', flag, width); break;
        case 'm': raddle_add_two(out, t->tm_mon + 1, '0', flag, width); break;
        case 'M': raddle_add_two(out, t->tm_min, '0', flag, width); break;
        case 'S': raddle_add_two(out, t->tm_sec, '0', flag, width); break;
        case 'u': raddle_add_number(out, (t->tm_wday + 6) % 7 + 1, 1, '0', flag, width); break;
        case 'w': raddle_add_number(out, t->tm_wday, 1, '0', flag, width); break;
        case 'U': raddle_add_two(out, (t->tm_yday - t->tm_wday + 7) / 7, '0', flag, width); break;
        case 'W': raddle_add_two(out, (t->tm_yday - (t->tm_wday + 6) % 7 + 7) / 7, '0', flag, width); break;
        case 'y': raddle_add_two(out, (t->tm_year % 100 + 100) % 100, '0', flag, width); break;
        case 'Y': raddle_add_year(out, year, flag, width); break;
        case 'V': raddle_add_two(out, raddle_iso_week(t, &of_week), '0', flag, width); break;
        case 'G':
            raddle_iso_week(t, &of_week);
            raddle_add_number(out, of_week, 1, '0', flag, width);
            break;
        case 'g':
            raddle_iso_week(t, &of_week);
            raddle_add_number(out, (of_week % 100 + 100) % 100, 2, '0', flag, width);
            break;
        case 's': {
            struct tm copy = *t;
            raddle_add_number(out, mktime(&copy), 1, '0', flag, width);
            break;
        }
        case 'z': {
            long minutes = (t->tm_gmtoff < 0 ? -t->tm_gmtoff : t->tm_gmtoff) / 60;
            raddle_add(out, t->tm_gmtoff < 0 ? '-' : '+');
            raddle_add_number(out, minutes / 60 * 100 + minutes % 60, 4, '0', flag, 0);
            break;
        }
        default:
            for (; begin <= format && *begin; begin++)
                raddle_add(out, *begin);
            if (!*format)
                return;
        }
    }
}

size_t strftime(char *restrict to, size_t room, const char *restrict format, const struct tm *restrict t) {
    struct raddle_text out = {to, room, 0};
    raddle_strftime(&out, format, t);
    if (out.count >= room)
        return 0;
    to[out.count] = 0;
    return out.count;
}

// Timers and the time that was used: any, and never less than before.

struct raddle_tms {
    long user, system, children_user, children_system;
};

long times(struct raddle_tms *used) {
    if (used) {
        used->user = (long)(__raddle_nondet_uint() >> 1);
        used->system = (long)(__raddle_nondet_uint() >> 1);
        used->children_user = (long)(__raddle_nondet_uint() >> 1);
        used->children_system = (long)(__raddle_nondet_uint() >> 1);
    }
    return (long)(raddle_later() >> (sizeof(long) == 8 ? 24 : 34));
}

struct raddle_usage {
    struct timeval user, system;
    long rest[14];
};

int getrusage(int who, struct raddle_usage *used) {
    if (who < -1 || who > 1) {
        *__errno_location() = RADDLE_EINVAL;
        return -1;
    }
    used->user.tv_sec = (long)(__raddle_nondet_uint() >> 1);
    used->user.tv_usec = (long)(__raddle_nondet_uint() % 1000000);
    used->system.tv_sec = (long)(__raddle_nondet_uint() >> 1);
    used->system.tv_usec = (long)(__raddle_nondet_uint() % 1000000);
    for (int i = 0; i < 14; i++)
        used->rest[i] = (long)(__raddle_nondet_uint() >> 1);
    return 0;
}
