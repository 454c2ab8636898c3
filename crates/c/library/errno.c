// errno.h: one object per thread.

static _Thread_local int raddle_errno;

int *__errno_location(void) { return &raddle_errno; }
