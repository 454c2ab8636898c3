//! The motivating example of the projection paper: three projections on `y`, and the empty one.

use raddle_engine_project::{Reductions, enumerate};
use std::collections::BTreeSet;

const MODEL: &str = "int a = 0, b = 1, x = 0, y;
int B[4] = {10, 11, 12, 13};
process P1 {
    a = 1;
}
process P2 {
    B[b] = 5;
}
process P3 {
    x = B[a];
    y = x + 7;
}
process observer { assume y == 100; a = x; assert b == 1; }
";

fn projections(reductions: Reductions) -> (BTreeSet<Vec<u128>>, BTreeSet<Vec<u32>>) {
    let program = raddle_model::compile("example.rad", MODEL, &[]).expect("a model");
    let found = enumerate(&program, &["y"], reductions, 6, true).expect("treated");
    let lines = |p: &Vec<(u32, u32)>| p.iter().map(|(_, line)| *line).collect();
    (found.values, found.paths.iter().map(lines).collect())
}

const PROJECTED: Reductions = Reductions {
    projection: true,
    as_printed: true,
    order: true,
    symmetry: false,
};

#[test]
fn there_are_exactly_the_three_projections_of_the_paper() {
    let (values, paths) = projections(PROJECTED);
    // Lines 4, 7, 10, 11 are l1, l2, l3, l4; where nothing writes y there is nothing to look at.
    let expected: BTreeSet<Vec<u32>> =
        [vec![], vec![10, 11], vec![4, 10, 11], vec![4, 7, 10, 11]].into();
    assert_eq!(paths, expected);
    let expected: BTreeSet<Vec<u128>> = [vec![0], vec![17], vec![18], vec![12]].into();
    assert_eq!(values, expected);
}

#[test]
fn without_order_two_of_them_are_the_same_but_for_independent_steps() {
    let reductions = Reductions {
        order: false,
        ..PROJECTED
    };
    let (_, paths) = projections(reductions);
    assert_eq!(paths.len(), 5);
    assert!(paths.contains(&vec![7, 4, 10, 11]));
}

#[test]
fn there_are_many_more_paths_than_projections_and_no_more_values() {
    let (values, paths) = projections(Reductions::NONE);
    assert!(paths.len() > 20, "{}", paths.len());
    assert_eq!(values.len(), 4);
}

/// Without the program counter among what is read, the step that writes `u` would be left out, and with it the next one.
#[test]
fn a_step_that_only_leads_to_another_is_part_of_the_projection() {
    let text = "int u, y; process P { u = 1; y = 1; } process Q { assume y == 2; assert u == 0; }";
    let program = raddle_model::compile("two.rad", text, &[]).expect("a model");
    let found = enumerate(&program, &["y"], PROJECTED, 4, false).expect("treated");
    assert_eq!(found.values, [vec![0], vec![1]].into());
}
