// arpa/inet.h: addresses of IPv4 as text, exactly. Those of IPv6 are refused where they are asked for.

typedef __SIZE_TYPE__ size_t;

int *__errno_location(void);

enum { RADDLE_INET = 2, RADDLE_ENOSPC = 28, RADDLE_EAFNOSUPPORT = 97 };

const char *inet_ntop(int family, const void *restrict address, char *restrict to, unsigned room) {
    const unsigned char *bytes = address;
    char text[16];
    unsigned n = 0;
    if (family != RADDLE_INET) {
        *__errno_location() = RADDLE_EAFNOSUPPORT;
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        unsigned byte = bytes[i];
        if (byte >= 100)
            text[n++] = (char)('0' + byte / 100);
        if (byte >= 10)
            text[n++] = (char)('0' + byte / 10 % 10);
        text[n++] = (char)('0' + byte % 10);
        text[n++] = i < 3 ? '.' : 0;
    }
    if (n > room) {
        *__errno_location() = RADDLE_ENOSPC;
        return 0;
    }
    for (unsigned i = 0; i < n; i++)
        to[i] = text[i];
    return to;
}

// Four decimal numbers without leading zeros; nothing is written unless all of it is right.
int inet_pton(int family, const char *restrict text, void *restrict to) {
    unsigned char bytes[4];
    if (family != RADDLE_INET) {
        *__errno_location() = RADDLE_EAFNOSUPPORT;
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        unsigned byte = 0;
        if (*text < '0' || *text > '9')
            return 0;
        if (*text == '0' && text[1] >= '0' && text[1] <= '9')
            return 0;
        while (*text >= '0' && *text <= '9') {
            byte = byte * 10 + (unsigned)(*text++ - '0');
            if (byte > 255)
                return 0;
        }
        bytes[i] = (unsigned char)byte;
        if (*text++ != (i < 3 ? '.' : 0))
            return 0;
    }
    for (int i = 0; i < 4; i++)
        ((unsigned char *)to)[i] = bytes[i];
    return 1;
}

// A number in the notation of C; 0 if there is none.
static int raddle_part(const char **text, unsigned *value) {
    unsigned base = 10, digits = 0;
    unsigned long long sum = 0;
    if (**text == '0') {
        ++*text;
        base = 8;
        digits = 1;
        if (**text == 'x' || **text == 'X') {
            ++*text;
            base = 16;
            digits = 0;
        }
    }
    for (;; ++*text) {
        char c = **text;
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
        if (digit >= base)
            break;
        digits++;
        sum = sum * base + digit;
        if (sum > 0xffffffff)
            return 0;
    }
    *value = (unsigned)sum;
    return digits > 0;
}

int inet_aton(const char *text, unsigned *to) {
    static const unsigned most[4] = {0xffffffff, 0xffffff, 0xffff, 0xff};
    unsigned result = 0, value;
    for (int i = 0; i < 4; i++) {
        if (*text < '0' || *text > '9' || !raddle_part(&text, &value))
            return 0;
        if (*text == '.' && i < 3) {
            if (value > 255)
                return 0;
            result |= value << (24 - 8 * i);
            text++;
            continue;
        }
        if (value > most[i])
            return 0;
        result |= value;
        break;
    }
    if (*text && *text != ' ' && (*text < '\t' || *text > '\r'))
        return 0;
    if (to)
        *to = __builtin_bswap32(result);
    return 1;
}
