//! What each kind of violation is, with an example: `raddle explain KIND`.

use raddle_ir::Property;

/// A kind of violation, explained.
pub struct Explanation {
    /// In a few words.
    pub title: &'static str,
    /// What it is, and what counts.
    pub what: &'static str,
    /// A program that has it, as short as possible.
    pub example: &'static str,
    /// What usually helps.
    pub remedy: &'static str,
}

/// What a violation of a property is.
pub fn explain(property: Property) -> Explanation {
    let of = |title, what, example, remedy| Explanation {
        title,
        what,
        example,
        remedy,
    };
    match property {
        Property::UnreachCall => of(
            "an assertion fails",
            "Some interleaving makes the argument of `assert` or `__VERIFIER_assert` zero, or calls `reach_error`.",
            "int x;\nvoid *t(void *a) { x = 1; return a; }\n/* main, while t runs: */ assert(x == 0);",
            "Look at the schedule for the step that changed what the assertion reads; protect both by one lock, or make them one atomic operation.",
        ),
        Property::NoDataRace => of(
            "two threads access the same memory, one writes, and nothing orders them",
            "Two accesses of different threads to overlapping bytes, at least one a write and at least one not atomic, can come next to each other. \
             Locks, joins, semaphores and atomics order accesses; `volatile` does not. In C this is undefined behaviour, whatever the values are.",
            "int x;\nvoid *t(void *a) { x++; return a; }\n/* main, while t runs: */ x++;",
            "Hold the same lock at both accesses, or make both atomic (`_Atomic`, `__atomic_…`).",
        ),
        Property::ValidDeref => of(
            "memory is accessed that is not there",
            "A read or write through a null or wild pointer, outside its object, or to an object that was freed or went out of scope.",
            "int *p = malloc(4);\nvoid *t(void *a) { free(p); return a; }\n/* main, while t runs: */ *p = 1;",
            "Let whoever is last free the object: join first, or count references.",
        ),
        Property::ValidFree => of(
            "something is freed that cannot be",
            "`free` of a pointer that did not come from `malloc`, points into the middle of an object, or was freed before.",
            "void *t(void *p) { free(p); return 0; }   /* in two threads with the same p */",
            "Decide which thread owns the object when it is no longer needed.",
        ),
        Property::ValidMemtrack => of(
            "memory is lost",
            "When the process ends, a heap object is allocated to which no global variable and no living thread leads any more.",
            "int *p;\nvoid *t(void *a) { p = malloc(4); return a; }   /* in two threads */",
            "Free the old object before the only pointer to it is overwritten.",
        ),
        Property::ValidMemcleanup => of(
            "memory is not freed",
            "When the process ends by `exit` or by a return from `main`, a heap object has not been freed. Not checked by default: the system takes memory back.",
            "int *p;\nint main(void) { p = malloc(4); return 0; }",
            "Free every object when it is no longer needed, before the process ends.",
        ),
        Property::NoOverflow => of(
            "signed arithmetic overflows",
            "The result of a signed operation does not fit its type. Not checked by default; where it is not, values wrap around.",
            "int x = 2147483647;\nx = x + 1;",
            "Use an unsigned or wider type, or test before.",
        ),
        Property::NoDeadlock => of(
            "threads wait for each other for ever",
            "No thread can go on, at least one waits for a lock, a condition, a semaphore, a barrier or the end of a thread, and the process has not ended. A lost \
             wake-up is one, too: the signal came before the wait, or woke somebody else. Threads that spin are not blocked.",
            "/* thread 1 */ lock(a); lock(b);\n/* thread 2 */ lock(b); lock(a);",
            "Take locks in one order everywhere; wait in a loop that tests what is waited for, and use broadcast if different threads wait for different things.",
        ),
        Property::ValidSync => of(
            "a synchronisation object is misused",
            "Unlock of a lock that the thread does not hold, use of an object that was never initialised or was destroyed, destruction of one that is in use, a second join of the same thread. Not looked for: a second initialisation, and use of a copy.",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\npthread_mutex_unlock(&m);",
            "Pair every lock with one unlock in the same function; destroy only after all users were joined.",
        ),
        Property::NoUninit => of(
            "a value decides that nobody wrote",
            "A branch depends on memory that was never written.",
            "int x;\nif (x) work();   /* x is a local variable */",
            "Initialise the variable where it is declared.",
        ),
        Property::NoDivZero => of(
            "an integer is divided by zero",
            "The divisor of `/` or `%` is zero, or the quotient does not fit (the smallest number by -1).",
            "int n;\nvoid *t(void *a) { n = 0; return a; }\n/* main, while t runs: */ if (n) x = 1 / n;",
            "Read the divisor once into a local variable, test that, and divide by it.",
        ),
        Property::NoBadShift => of(
            "a shift goes too far",
            "The right operand of `<<` or `>>` is negative, or not smaller than the width of the left one. Bits shifted into the sign are a matter of `no-overflow`.",
            "int x = 1 << 32;",
            "Shift an unsigned value of a type that is wide enough.",
        ),
    }
}
