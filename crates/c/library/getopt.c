// getopt.h as in glibc, with its permutation of the arguments. The state is plain: two threads that use it race.
// POSIXLY_CORRECT is taken to be unset; `W;` in the list of options is not supported.

struct raddle_file;
extern struct raddle_file *stderr;
int fprintf(struct raddle_file *restrict file, const char *restrict format, ...);

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static int raddle_option_started;
static char *raddle_option_next;
static int raddle_first_word, raddle_last_word; // arguments that are no options and were passed over

static int raddle_is_word(const char *argument) { return argument[0] != '-' || !argument[1]; }

// Brings what was passed over behind the options that came after it.
static void raddle_exchange_words(char **argv) {
    int first = raddle_first_word, last = raddle_last_word, end = optind;
    for (int from = last; from < end; from++) {
        char *one = argv[from];
        for (int to = from; to > first + (from - last); to--)
            argv[to] = argv[to - 1];
        argv[first + (from - last)] = one;
    }
    raddle_first_word += end - last;
    raddle_last_word = end;
}

static const char *raddle_find_option(const char *options, char c) {
    for (; *options; options++)
        if (*options == c)
            return options;
    return 0;
}

static int raddle_long_option(int argc, char **argv, const char *options, const struct option *longs, int *which, int only,
                              int complain) {
    char *name = raddle_option_next, *end = name;
    while (*end && *end != '=')
        end++;
    int exact = -1, partial = -1, ambiguous = 0;
    for (int i = 0; longs[i].name && exact < 0; i++) {
        int n = 0;
        while (n < end - name && longs[i].name[n] == name[n])
            n++;
        if (n < end - name)
            continue;
        if (!longs[i].name[n])
            exact = i;
        else if (partial < 0)
            partial = i;
        else if (only || longs[partial].has_arg != longs[i].has_arg || longs[partial].flag != longs[i].flag ||
                 longs[partial].val != longs[i].val)
            ambiguous = 1;
    }
    if (exact < 0 && ambiguous) {
        if (complain)
            fprintf(stderr, "%s: option '--%s' is ambiguous\n", argv[0], name);
        raddle_option_next = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    int found = exact < 0 ? partial : exact;
    if (found < 0) {
        if (only && argv[optind][1] != '-' && raddle_find_option(options, *name))
            return -1;
        if (complain)
            fprintf(stderr, "%s: unrecognized option '--%s'\n", argv[0], name);
        raddle_option_next = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    const struct option *one = &longs[found];
    optind++;
    raddle_option_next = 0;
    if (*end) {
        if (!one->has_arg) {
            if (complain)
                fprintf(stderr, "%s: option '--%s' doesn't allow an argument\n", argv[0], one->name);
            optopt = one->val;
            return '?';
        }
        optarg = end + 1;
    } else if (one->has_arg == 1) {
        if (optind >= argc) {
            if (complain)
                fprintf(stderr, "%s: option '--%s' requires an argument\n", argv[0], one->name);
            optopt = one->val;
            return *options == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (which)
        *which = found;
    if (!one->flag)
        return one->val;
    *one->flag = one->val;
    return 0;
}

static int raddle_getopt(int argc, char **argv, const char *options, const struct option *longs, int *which, int only) {
    if (argc < 1)
        return -1;
    optarg = 0;
    if (optind == 0 || !raddle_option_started) {
        if (optind == 0)
            optind = 1;
        raddle_first_word = raddle_last_word = optind;
        raddle_option_next = 0;
        raddle_option_started = 1;
    }
    int in_order = *options == '-', stop_at_word = *options == '+';
    if (in_order || stop_at_word)
        options++;
    int complain = opterr && *options != ':';
    if (!raddle_option_next || !*raddle_option_next) {
        if (raddle_last_word > optind)
            raddle_last_word = optind;
        if (raddle_first_word > optind)
            raddle_first_word = optind;
        if (!in_order && !stop_at_word) {
            if (raddle_first_word != raddle_last_word && raddle_last_word != optind)
                raddle_exchange_words(argv);
            else if (raddle_last_word != optind)
                raddle_first_word = optind;
            while (optind < argc && raddle_is_word(argv[optind]))
                optind++;
            raddle_last_word = optind;
        }
        if (optind != argc && argv[optind][0] == '-' && argv[optind][1] == '-' && !argv[optind][2]) {
            optind++;
            if (raddle_first_word != raddle_last_word && raddle_last_word != optind)
                raddle_exchange_words(argv);
            else if (raddle_first_word == raddle_last_word)
                raddle_first_word = optind;
            raddle_last_word = argc;
            optind = argc;
        }
        if (optind == argc) {
            if (raddle_first_word != raddle_last_word)
                optind = raddle_first_word;
            return -1;
        }
        if (raddle_is_word(argv[optind])) {
            if (stop_at_word)
                return -1;
            optarg = argv[optind++];
            return 1;
        }
        if (longs) {
            if (argv[optind][1] == '-') {
                raddle_option_next = argv[optind] + 2;
                return raddle_long_option(argc, argv, options, longs, which, only, complain);
            }
            if (only && (argv[optind][2] || !raddle_find_option(options, argv[optind][1]))) {
                raddle_option_next = argv[optind] + 1;
                int code = raddle_long_option(argc, argv, options, longs, which, only, complain);
                if (code != -1)
                    return code;
            }
        }
        raddle_option_next = argv[optind] + 1;
    }
    char c = *raddle_option_next++;
    const char *known = raddle_find_option(options, c);
    if (!*raddle_option_next)
        optind++;
    if (!known || c == ':' || c == ';') {
        if (complain)
            fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
        optopt = c;
        return '?';
    }
    if (known[1] != ':')
        return c;
    if (*raddle_option_next) {
        optarg = raddle_option_next;
        optind++;
    } else if (known[2] != ':') {
        if (optind == argc) {
            if (complain)
                fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
            optopt = c;
            raddle_option_next = 0;
            return *options == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    raddle_option_next = 0;
    return c;
}

int getopt(int argc, char *const argv[], const char *options) {
    return raddle_getopt(argc, (char **)argv, options, 0, 0, 0);
}

int __posix_getopt(int argc, char *const argv[], const char *options) { return getopt(argc, argv, options); }

int getopt_long(int argc, char *const argv[], const char *options, const struct option *longs, int *which) {
    return raddle_getopt(argc, (char **)argv, options, longs, which, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *longs, int *which) {
    return raddle_getopt(argc, (char **)argv, options, longs, which, 1);
}
