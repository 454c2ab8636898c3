//! What programs may be about.

macro_rules! features {
    ($($name:ident)*) => {
        /// What a program may be about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature {
            $($name,)*
        }

        /// All of them; the order decides what a seed means.
        pub const ALL: &[Feature] = &[$(Feature::$name,)*];

        /// How many of these a seed chooses from; the others are there if they are asked for.
        pub const CHOSEN: usize = ALL.len() - 1;
    };
}

features! {
    Array Assume Atomic AtomicType Barrier BitField
    Block Call CompareAndSwap CondJoin Condition Copy
    CreateLoop Detach Div Dynamic EarlyEnd ErrorCheck
    FunctionPointer Heap HeapStruct Input Joiner Key
    LocalPointer LockPointer Loop Mutex Narrow Nested
    Once Overflow Pointer Quit ReadWrite Recursion
    RecursiveMutex Result SelfId Semaphore Shift Spin
    SpinLoop Struct Switch ThreadLocal Uninitialised Union
    ByValue Goto HandMade MutexArray Partial PointerCast
    PointerTable ResultPointer Scope StaticLocal StructArray ThreadLocalPointer
    Vote Dirty Realloc Timed Wide AddressBits
    BigLoop HeapCompare InBlock PartialUninitialised PointerBytes Teardown
    Ends Handles List LocalSync RwOdd Sum
}
