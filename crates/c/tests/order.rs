//! An answer says where it rests on the order in which operands are evaluated, and only there.

use raddle_c::{Options, compile_text};

/// The lines of the assumptions about order.
fn lines(body: &str) -> Vec<u32> {
    let text = format!(
        "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); int g, h; _Atomic int a, b; int *p;
         int pure(int x) {{ int t[3] = {{1, 2, 3}}; t[x] = 5; return t[0] + x; }}
         int bump(void) {{ return ++g; }}
         int look(void) {{ return g; }}
         int again(int n) {{ return n < 2 ? n : again(n - 1) + again(n - 2); }}
         int take(int x, int y) {{ return x - y; }}
         int main(void) {{ int i = 0, j = 1, t[4] = {{0}}; int *q = t;
{body}
         return i + j + *q + again(2) + pure(1) + bump() + look() + take(1, 2); }}"
    );
    let program = compile_text("t.c", &text, &Options::default()).expect("it is a program");
    let order = program
        .assumptions
        .iter()
        .filter(|a| a.what.starts_with("operands"));
    order.map(|a| a.span.line).filter(|&l| l == 8).collect()
}

#[test]
fn order_that_matters_is_named() {
    for body in [
        "i = bump() + look();",
        "i = g + bump();",
        "i = take(bump(), g);",
        "t[g] = bump();",
        "g += bump();",
        "i = a + b;",
        "i = __atomic_load_n(&a, 5) - __atomic_load_n(&b, 5);",
        "i = i++ + i;",
        "t[i] = i++;",
        "int u[2] = {bump(), bump()}; i = u[0];",
        "i = *p + (*q)++;",
        "i = pure(1) + (bump() == 1 ? look() : 0) + g;",
    ] {
        assert_eq!(lines(body), [8], "{body}");
    }
}

#[test]
fn order_that_does_not_matter_is_not() {
    for body in [
        "i = pure(1) + pure(2);",
        "i = look() + look();",
        "i = j + bump();",
        "i = g + h;",
        "i = g * g + h;",
        "i = __VERIFIER_nondet_int() + __VERIFIER_nondet_int();",
        "t[i] = bump();",
        "t[i++] = j++;",
        "*q++ = j++;",
        "g += 2; g++; a++; a += 3;",
        "i = bump() && look();",
        "i = (bump(), look());",
        "i = take(i, j);",
        "i = take(1, bump());",
        "p = malloc(4); i = take(malloc(1) != 0, malloc(2) != 0);",
        "i = again(3) + again(4);",
    ] {
        assert_eq!(lines(body), [0u32; 0], "{body}");
    }
}

#[test]
fn few_places_are_named() {
    let many = "i = g + bump();\n".repeat(9);
    let text = format!(
        "int g; int bump(void) {{ return ++g; }} int main(void) {{ int i;\n{many} return i; }}"
    );
    let program = compile_text("t.c", &text, &Options::default()).expect("it is a program");
    let order = program
        .assumptions
        .iter()
        .filter(|a| a.what.starts_with("operands"));
    assert_eq!(order.count(), 4);
}
