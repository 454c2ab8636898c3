//! The rows of the table: primitives, their states, and the operations on them.

use raddle_ir::SyncOp;

/// An operation on an object in a state.
pub struct Row {
    /// The object: a mutex of a kind, a semaphore, …
    pub object: String,
    /// Its state.
    pub state: &'static str,
    /// What another thread did to it before it ended.
    pub other: String,
    /// What the caller did before.
    pub own: String,
    /// What the caller does.
    pub op: SyncOp,
    /// Its second argument.
    pub argument: Option<u32>,
}

impl Row {
    /// For messages.
    pub fn name(&self) -> String {
        let argument = self.argument.map_or(String::new(), |a| format!(" {a:#x}"));
        let op = self.op.name();
        format!("{}, {}: {op}{argument}", self.object, self.state)
    }

    /// The call of the operation.
    fn call(&self) -> String {
        match self.op {
            // A join tells its code to who asks.
            SyncOp::ThreadJoin => {
                return "__raddle_thread_join(second); code = __raddle_thread_join_code();".into();
            }
            SyncOp::ThreadDetach => return "code = __raddle_thread_detach(second);".into(),
            _ => {}
        }
        let argument = self
            .argument
            .map_or(String::new(), |a| format!(", {}", a as i32));
        let call = format!("__raddle_{}(object{argument});", self.op.name());
        match self.op.result() {
            Some(_) => format!("code = {call}"),
            None => call,
        }
    }

    /// The program; `goal` is what comes behind the operation.
    pub fn program(&self, goal: &str) -> String {
        let (other, own, call) = (&self.other, &self.own, self.call());
        format!(
            "{PROTOTYPES}
            static void *other(void *unused) {{ {other} return 0; }}
            static void *idle(void *unused) {{ return 0; }}
            static void *stuck(void *unused) {{ __raddle_await_eq(object + 9, 1); return 0; }}
            int main(void) {{
                code = 0;
                second = 0;
                unsigned long thread = __raddle_thread_new(other, 0);
                __raddle_thread_start(thread);
                __raddle_thread_join(thread);
                {own}
                before = object[0];
                {call}
                after = object[0];
                {goal}
                return 0;
            }}\n"
        )
    }
}

const PROTOTYPES: &str = "
unsigned long __raddle_thread_new(void *(*function)(void *), void *argument);
void __raddle_thread_start(unsigned long thread);
void *__raddle_thread_join(unsigned long thread);
int __raddle_thread_join_code(void);
int __raddle_thread_detach(unsigned long thread);
unsigned long __raddle_thread_self(void);
void __raddle_mutex_init(void *m, int kind);
int __raddle_mutex_destroy(void *m);
int __raddle_mutex_lock(void *m);
int __raddle_mutex_trylock(void *m);
int __raddle_mutex_timedlock(void *m);
int __raddle_mutex_unlock(void *m);
void __raddle_spin_init(void *s);
int __raddle_spin_destroy(void *s);
int __raddle_spin_lock(void *s);
int __raddle_spin_trylock(void *s);
int __raddle_spin_unlock(void *s);
void __raddle_rw_init(void *l);
int __raddle_rw_destroy(void *l);
int __raddle_rw_rdlock(void *l);
int __raddle_rw_tryrdlock(void *l);
int __raddle_rw_timedrdlock(void *l);
int __raddle_rw_wrlock(void *l);
int __raddle_rw_trywrlock(void *l);
int __raddle_rw_timedwrlock(void *l);
int __raddle_rw_unlock(void *l);
void __raddle_cond_init(void *c);
int __raddle_cond_destroy(void *c);
void __raddle_cond_enqueue(void *c);
int __raddle_cond_block(void *c, int timed);
void __raddle_cond_signal(void *c);
void __raddle_cond_broadcast(void *c);
void __raddle_sem_init(void *s, int value);
int __raddle_sem_destroy(void *s);
int __raddle_sem_wait(void *s);
int __raddle_sem_trywait(void *s);
int __raddle_sem_timedwait(void *s);
int __raddle_sem_post(void *s);
int __raddle_sem_getvalue(void *s);
void __raddle_await_ne(void *word, int value);
void __raddle_await_eq(void *word, int value);
extern void reach_error(void);
unsigned object[10];
unsigned before, after;
unsigned long second;
int code;
";

/// A state: its name, what another thread does for it, what the caller does.
type State = (&'static str, String, String);

fn state(name: &'static str, other: &str, own: &str) -> State {
    (name, other.into(), own.into())
}

/// Every operation in every state.
fn product(object: &str, states: Vec<State>, operations: &[(SyncOp, Option<u32>)]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (state, other, own) in states {
        for (op, argument) in operations {
            rows.push(Row {
                object: object.to_string(),
                state,
                other: other.clone(),
                own: own.clone(),
                op: *op,
                argument: *argument,
            });
        }
    }
    rows
}

fn plain(operations: &[SyncOp]) -> Vec<(SyncOp, Option<u32>)> {
    operations.iter().map(|op| (*op, None)).collect()
}

fn mutexes(kind: u32) -> Vec<Row> {
    use SyncOp::*;
    let init = format!("__raddle_mutex_init(object, {kind});");
    let lock = "__raddle_mutex_lock(object);";
    let made = |name, other: &str, own: &str| (name, format!("{init} {other}"), own.to_string());
    let mut states = vec![
        made("free", "", ""),
        made("mine", "", lock),
        made("of another thread", lock, ""),
        made("taken and given back", lock_and_unlock(), ""),
        made("destroyed", "", "__raddle_mutex_destroy(object);"),
        made("word of mine", "", "object[0] = 1;"),
        made("word of another thread", "", "object[0] = 2;"),
        made("word of mine, nested", "", "object[0] = 0x00300001;"),
        made("word of another, nested", "", "object[0] = 0x00300002;"),
    ];
    if kind == 1 {
        let twice = "__raddle_mutex_lock(object); __raddle_mutex_lock(object);";
        states.push(made("mine, twice", "", twice));
    }
    let mut operations = plain(&[
        MutexLock,
        MutexTryLock,
        MutexTimedLock,
        MutexUnlock,
        MutexDestroy,
    ]);
    operations.push((MutexInit, Some(kind)));
    product(&format!("mutex of kind {kind}"), states, &operations)
}

fn lock_and_unlock() -> &'static str {
    "__raddle_mutex_lock(object); __raddle_mutex_unlock(object);"
}

fn spins() -> Vec<Row> {
    use SyncOp::*;
    let lock = "__raddle_spin_lock(object);";
    let init = "__raddle_spin_init(object);";
    let states = vec![
        state("never initialised, zero", "", ""),
        state("free", init, ""),
        state("mine", init, lock),
        state("of another thread", lock, ""),
        state("destroyed", init, "__raddle_spin_destroy(object);"),
        state("word of mine", "", "object[0] = 1;"),
        state("word of mine, nested", "", "object[0] = 0x00300001;"),
        state("word of another thread", "", "object[0] = 2;"),
    ];
    let all = [SpinLock, SpinTryLock, SpinUnlock, SpinDestroy, SpinInit];
    product("spin lock", states, &plain(&all))
}

fn reader_writer_locks() -> Vec<Row> {
    use SyncOp::*;
    let (read, write) = ("__raddle_rw_rdlock(object);", "__raddle_rw_wrlock(object);");
    let init = "__raddle_rw_init(object);";
    let states = vec![
        state("free", init, ""),
        state("mine to read", init, read),
        (
            "mine to read, twice",
            init.to_string(),
            format!("{read}{read}"),
        ),
        state("read by another thread", read, ""),
        state("read by both", read, read),
        state("mine to write", init, write),
        state("written by another thread", write, ""),
        state("destroyed", init, "__raddle_rw_destroy(object);"),
        state("word of readers", "", "object[0] = 3;"),
        state("word of my writing", "", "object[0] = 0x80000001;"),
    ];
    let all = [
        RwReadLock,
        RwTryReadLock,
        RwTimedReadLock,
        RwWriteLock,
        RwTryWriteLock,
        RwTimedWriteLock,
        RwUnlock,
        RwDestroy,
        RwInit,
    ];
    product("reader-writer lock", states, &plain(&all))
}

fn semaphores() -> Vec<Row> {
    use SyncOp::*;
    let made = |name, value: u32, own: &str| {
        let init = format!("__raddle_sem_init(object, {});", value as i32);
        (name, init, own.to_string())
    };
    let states = vec![
        made("zero", 0, ""),
        made("one", 1, ""),
        made("two", 2, ""),
        made("taken", 1, "__raddle_sem_wait(object);"),
        made("full", 0x7fff_ffff, ""),
        made("destroyed", 1, "__raddle_sem_destroy(object);"),
        state("never initialised, zero", "", ""),
        state("never initialised, one", "", "object[0] = 1;"),
    ];
    let mut all = plain(&[
        SemWait,
        SemTryWait,
        SemTimedWait,
        SemPost,
        SemGetValue,
        SemDestroy,
    ]);
    all.push((SemInit, Some(3)));
    product("semaphore", states, &all)
}

fn conditions() -> Vec<Row> {
    use SyncOp::*;
    let init = "__raddle_cond_init(object);";
    let sleeps = "__raddle_cond_enqueue(object);";
    let signal = "__raddle_cond_signal(object);";
    let states = vec![
        state("nobody sleeps", init, ""),
        state("never initialised, zero", "", ""),
        state("destroyed", init, "__raddle_cond_destroy(object);"),
    ];
    let all = [
        CondInit,
        CondDestroy,
        CondEnqueue,
        CondSignal,
        CondBroadcast,
    ];
    let mut rows = product("condition variable", states, &plain(&all));
    let states = vec![
        state("I sleep", init, sleeps),
        (
            "I was woken",
            init.to_string(),
            format!("{sleeps} {signal}"),
        ),
    ];
    let blocks = [(CondBlock, Some(0))];
    rows.extend(product("condition variable", states, &blocks));
    rows
}

fn words() -> Vec<Row> {
    let states = vec![state("five", "object[0] = 5;", "")];
    let mut all = Vec::new();
    for value in [5, 6] {
        all.push((SyncOp::AwaitEq, Some(value)));
        all.push((SyncOp::AwaitNe, Some(value)));
    }
    product("word", states, &all)
}

fn threads() -> Vec<Row> {
    let start = "__raddle_thread_start(second);";
    let idle = format!("second = __raddle_thread_new(idle, 0); {start}");
    let then = |name, what: &str| (name, String::new(), format!("{idle} {what}"));
    let states = vec![
        then("started", ""),
        then("joined", "__raddle_thread_join(second);"),
        then("detached", "__raddle_thread_detach(second);"),
        (
            "stuck",
            String::new(),
            format!("second = __raddle_thread_new(stuck, 0); {start}"),
        ),
        state("myself", "", "second = __raddle_thread_self();"),
        state("of nobody", "", "second = 12345;"),
    ];
    let all = [SyncOp::ThreadJoin, SyncOp::ThreadDetach];
    product("thread", states, &plain(&all))
}

/// The table.
pub fn all() -> Vec<Row> {
    let mut rows: Vec<Row> = (0..4).flat_map(mutexes).collect();
    rows.extend(recursion_limit());
    rows.extend(spins());
    rows.extend(reader_writer_locks());
    rows.extend(semaphores());
    rows.extend(conditions());
    rows.extend(words());
    rows.extend(threads());
    rows
}

/// A recursive mutex that can be taken no more.
fn recursion_limit() -> Vec<Row> {
    use SyncOp::*;
    let init = "__raddle_mutex_init(object, 1);";
    let states = vec![
        state(
            "word of mine, taken as often as can be",
            init,
            "object[0] = 0xfff00001;",
        ),
        state(
            "word of mine, taken once less",
            init,
            "object[0] = 0xffe00001;",
        ),
    ];
    let all = plain(&[MutexLock, MutexTryLock, MutexTimedLock, MutexUnlock]);
    product("mutex of kind 1", states, &all)
}
