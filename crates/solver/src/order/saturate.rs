//! The saturation rules, one function for each thing that can newly become true: a reads-from choice, an
//! occurrence, an indivisible group, or "this node has new predecessors".
//!
//! Only the nearest occurring write of a chain matters in each rule: its neighbours in the chain are ordered
//! with it already, so their edges follow by transitivity.

use super::problem::{EventId, NodeId, ReadsFromId};
use super::reach::{ChainId, Gain, Reachability};
use super::tables::Place;
use super::theory::{OrderTheory, Undo};
use super::why::Why;

impl<R: Reachability> OrderTheory<R> {
    /// Applies the rules until nothing new follows.
    pub(super) fn saturate(&mut self) {
        let mut next = 0;
        while next < self.gains.len() && self.conflict.is_none() {
            let gain = self.gains[next];
            next += 1;
            self.apply_gain(gain);
        }
        self.statistics.gains += next as u64;
        self.gains.clear();
    }

    fn write_position(&self, write: EventId) -> u32 {
        self.chains.position_of(self.node(write))
    }

    /// How many writes to a place stand in a chain before a position.
    fn writes_below(&self, place: Place, chain: ChainId, position: u32) -> usize {
        self.tables
            .writes_in(place, chain)
            .partition_point(|&write| self.write_position(write) < position)
    }

    /// The last occurring write to a place in a chain at a position in `from..to`.
    fn last_write(&self, place: Place, chain: ChainId, from: u32, to: u32) -> Option<EventId> {
        let writes = self.tables.writes_in(place, chain);
        let end = self.writes_below(place, chain, to);
        let in_range = writes[..end]
            .iter()
            .rev()
            .take_while(|&&write| self.write_position(write) >= from);
        in_range.copied().find(|write| self.occurs[write.index()])
    }

    fn why_occurs(&mut self, event: EventId) -> Why {
        let occurs = self.problem.event(event).occurs;
        self.whys.occurrence(event, occurs)
    }

    /// The reason "the choice is taken and the write occurs and the path is there".
    fn why_rule(&mut self, choice: ReadsFromId, write: EventId, path: Why) -> Why {
        let taken = self
            .whys
            .literal(self.problem.reads_from()[choice.index()].literal);
        let occurs = self.why_occurs(write);
        let both = self.whys.both(taken, occurs);
        self.whys.both(both, path)
    }

    /// Propagates that a choice is impossible because `over` overwrites it before the read.
    fn forbid_overwritten(&mut self, choice: ReadsFromId, over: EventId) {
        let chosen = self.problem.reads_from()[choice.index()];
        let (first, second) = (
            self.why_before(chosen.write, over),
            self.why_before(over, chosen.read),
        );
        let path = self.whys.both(first, second);
        let occurs = self.why_occurs(over);
        let why = self.whys.both(occurs, path);
        self.imply(!chosen.literal, why);
    }

    fn is_open(&self, choice: ReadsFromId) -> bool {
        self.value(self.problem.reads_from()[choice.index()].literal) == 0
    }

    /// A reads-from choice was taken.
    pub(super) fn set_source(&mut self, choice: ReadsFromId) {
        let chosen = self.problem.reads_from()[choice.index()];
        let why = self.whys.literal(chosen.literal);
        if let Some(other) = self.source[chosen.read.index()] {
            let earlier = self.problem.reads_from()[other.index()];
            if earlier.write != chosen.write {
                let taken = self.whys.literal(earlier.literal);
                self.conflict = Some(self.whys.both(why, taken));
            }
            return;
        }
        self.source[chosen.read.index()] = Some(choice);
        self.undo.push(Undo::Source(chosen.read));
        for index in 0..self.tables.choices[chosen.read.index()].len() {
            let other =
                self.problem.reads_from()[self.tables.choices[chosen.read.index()][index].index()];
            if other.write != chosen.write {
                self.imply(!other.literal, why);
            }
        }
        self.derive(chosen.write, chosen.read, why);
        let Some(place) = self.tables.place[chosen.read.index()] else {
            return;
        };
        let read_node = self.node(chosen.read);
        for chain in 0..self.chains.nodes.len() as u32 {
            if self.conflict.is_some() {
                return;
            }
            let chain = ChainId(chain);
            let mut bound = self.reach.bound(&self.chains, chain, read_node);
            if chain == self.chains.chain_of(read_node) {
                // Writes of the read's own block are looked at too.
                bound += 1;
            }
            if let Some(write) = self.last_write_before(place, chain, bound, chosen.read)
                && write != chosen.write
            {
                let path = self.why_before(write, chosen.read);
                let why = self.why_rule(choice, write, path);
                self.derive(write, chosen.write, why);
            }
            if self.conflict.is_none()
                && let Some(write) = self.first_write_after(place, chain, chosen.write)
            {
                let path = self.why_before(chosen.write, write);
                let why = self.why_rule(choice, write, path);
                self.derive(chosen.read, write, why);
            }
        }
    }

    /// The last occurring write of a chain, below a position, that comes before the event.
    fn last_write_before(
        &self,
        place: Place,
        chain: ChainId,
        to: u32,
        event: EventId,
    ) -> Option<EventId> {
        let end = self.writes_below(place, chain, to);
        let writes = &self.tables.writes_in(place, chain)[..end];
        writes
            .iter()
            .rev()
            .copied()
            .find(|&write| self.occurs[write.index()] && self.before(write, event))
    }

    /// The first occurring write of a chain that comes after a write.
    fn first_write_after(&self, place: Place, chain: ChainId, event: EventId) -> Option<EventId> {
        let writes = self.tables.writes_in(place, chain);
        let start = writes.partition_point(|&write| !self.before(event, write));
        writes[start..]
            .iter()
            .copied()
            .find(|write| self.occurs[write.index()])
    }

    /// An event occurs.
    pub(super) fn set_occurs(&mut self, event: EventId) {
        if self.occurs[event.index()] {
            return;
        }
        self.occurs[event.index()] = true;
        self.undo.push(Undo::Occurs(event));
        let Some(place) = self.tables.place[event.index()] else {
            return;
        };
        if !self.tables.is_write[event.index()] {
            return;
        }
        for index in 0..self.tables.reads[place.0 as usize].len() {
            let read = self.tables.reads[place.0 as usize][index];
            if self.conflict.is_some() {
                return;
            }
            let overwrites = self.before(event, read);
            if let Some(choice) = self.source[read.index()] {
                let write = self.problem.reads_from()[choice.index()].write;
                if write == event {
                    continue;
                }
                if overwrites {
                    let path = self.why_before(event, read);
                    let why = self.why_rule(choice, event, path);
                    self.derive(event, write, why);
                }
                if self.conflict.is_none() && self.before(write, event) {
                    let path = self.why_before(write, event);
                    let why = self.why_rule(choice, event, path);
                    self.derive(read, event, why);
                }
            } else if overwrites {
                self.forbid_older_choices(read, event);
            }
        }
    }

    /// Forbids the open choices of a read that an occurring write before the read overwrites.
    fn forbid_older_choices(&mut self, read: EventId, over: EventId) {
        for index in 0..self.tables.choices[read.index()].len() {
            let choice = self.tables.choices[read.index()][index];
            let write = self.problem.reads_from()[choice.index()].write;
            if write != over && self.is_open(choice) && self.before(write, over) {
                self.forbid_overwritten(choice, over);
            }
        }
    }

    /// A node has new predecessors.
    fn apply_gain(&mut self, gain: Gain) {
        for index in 0..self.problem.nodes()[gain.node.index()].len() {
            if self.conflict.is_some() {
                return;
            }
            let event = self.problem.nodes()[gain.node.index()][index];
            let Some(place) = self.tables.place[event.index()] else {
                continue;
            };
            if self.tables.is_write[event.index()] {
                self.gain_at_write(event, place, gain);
            } else {
                self.gain_at_read(event, place, gain);
            }
        }
        self.forbid_edges_against(gain);
        if !self.active_groups.is_empty() {
            self.gain_at_groups(gain);
        }
    }

    fn gain_at_read(&mut self, read: EventId, place: Place, gain: Gain) {
        let Some(write) = self.last_write(place, gain.chain, gain.from, gain.to) else {
            return;
        };
        match self.source[read.index()] {
            Some(choice) => {
                let source = self.problem.reads_from()[choice.index()].write;
                if source != write {
                    let path = self.why_before(write, read);
                    let why = self.why_rule(choice, write, path);
                    self.derive(write, source, why);
                }
            }
            None => self.forbid_older_choices(read, write),
        }
    }

    fn gain_at_write(&mut self, write: EventId, place: Place, gain: Gain) {
        // Readers of this write must not come before it.
        for index in 0..self.tables.choices[write.index()].len() {
            let choice = self.tables.choices[write.index()][index];
            let chosen = self.problem.reads_from()[choice.index()];
            let node = self.node(chosen.read);
            let position = self.chains.position_of(node);
            if self.chains.chain_of(node) == gain.chain
                && (gain.from..gain.to).contains(&position)
                && self.is_open(choice)
            {
                let why = self.why_before(chosen.read, write);
                self.imply(!chosen.literal, why);
            }
        }
        if !self.occurs[write.index()] {
            return;
        }
        // Earlier writes are overwritten here, back to the first one that surely occurs.
        let mut end = self.writes_below(place, gain.chain, gain.to);
        while end > 0 && self.conflict.is_none() {
            end -= 1;
            let earlier = self.tables.writes_in(place, gain.chain)[end];
            if self.write_position(earlier) < gain.from {
                return;
            }
            self.overwrite(earlier, write);
            if self.occurs[earlier.index()] {
                return;
            }
        }
    }

    /// The occurring write `over` comes after `earlier`: whoever sees `earlier` reads before `over`.
    fn overwrite(&mut self, earlier: EventId, over: EventId) {
        for index in 0..self.tables.choices[earlier.index()].len() {
            if self.conflict.is_some() {
                return;
            }
            let choice = self.tables.choices[earlier.index()][index];
            let read = self.problem.reads_from()[choice.index()].read;
            if self.source[read.index()] == Some(choice) {
                let path = self.why_before(earlier, over);
                let why = self.why_rule(choice, over, path);
                self.derive(read, over, why);
            } else if self.is_open(choice) && self.before(over, read) {
                self.forbid_overwritten(choice, over);
            }
        }
    }

    fn forbid_edges_against(&mut self, gain: Gain) {
        for index in 0..self.tables.possible_out[gain.node.index()].len() {
            let edge = self.tables.possible_out[gain.node.index()][index];
            let position = self.chains.position_of(edge.after);
            if self.value(edge.literal) == 0
                && self.chains.chain_of(edge.after) == gain.chain
                && (gain.from..gain.to).contains(&position)
            {
                let why = self
                    .reach
                    .why(&self.chains, &mut self.whys, edge.after, gain.node);
                self.imply(!edge.literal, why);
            }
        }
    }

    fn why_group(&mut self, group: u32, path: Why) -> Why {
        let literal = self
            .whys
            .literal(self.problem.groups()[group as usize].literal);
        self.whys.both(literal, path)
    }

    fn in_group(&self, group: u32, node: NodeId) -> bool {
        self.tables.group_nodes[group as usize].contains(&node)
    }

    /// Whatever is outside a group and before one member is before all.
    fn pull_before(&mut self, group: u32, member: NodeId, outside: NodeId) {
        for index in 0..self.tables.group_nodes[group as usize].len() {
            let other = self.tables.group_nodes[group as usize][index];
            if other != member && self.conflict.is_none() {
                let path = self
                    .reach
                    .why(&self.chains, &mut self.whys, outside, member);
                let why = self.why_group(group, path);
                self.derive_nodes(outside, other, why);
            }
        }
    }

    /// Whatever is outside a group and after one member is after all.
    fn push_after(&mut self, group: u32, member: NodeId, outside: NodeId) {
        for index in 0..self.tables.group_nodes[group as usize].len() {
            let other = self.tables.group_nodes[group as usize][index];
            if other != member && self.conflict.is_none() {
                let path = self
                    .reach
                    .why(&self.chains, &mut self.whys, member, outside);
                let why = self.why_group(group, path);
                self.derive_nodes(other, outside, why);
            }
        }
    }

    fn gain_at_groups(&mut self, gain: Gain) {
        for index in 0..self.active_groups.len() {
            let group = self.active_groups[index];
            if self.conflict.is_some() {
                return;
            }
            let inside = self.in_group(group, gain.node);
            let chain = self.chains.nodes[gain.chain.0 as usize].clone();
            let range = gain.from as usize..gain.to as usize;
            if inside {
                let outside = chain[range]
                    .iter()
                    .rev()
                    .copied()
                    .find(|&node| !self.in_group(group, node));
                if let Some(outside) = outside {
                    self.pull_before(group, gain.node, outside);
                }
            } else {
                let members: Vec<NodeId> = chain[range]
                    .iter()
                    .copied()
                    .filter(|&node| self.in_group(group, node))
                    .collect();
                for member in members {
                    self.push_after(group, member, gain.node);
                }
            }
        }
    }

    /// A group becomes indivisible.
    pub(super) fn activate_group(&mut self, group: u32) {
        self.active_groups.push(group);
        self.undo.push(Undo::Group(group));
        for member in self.tables.group_nodes[group as usize].clone() {
            for chain in 0..self.chains.nodes.len() {
                if self.conflict.is_some() {
                    return;
                }
                let nodes = self.chains.nodes[chain].clone();
                let bound = self
                    .reach
                    .bound(&self.chains, ChainId(chain as u32), member)
                    as usize;
                let before = nodes[..bound]
                    .iter()
                    .rev()
                    .copied()
                    .find(|&node| !self.in_group(group, node));
                if let Some(outside) = before {
                    self.pull_before(group, member, outside);
                }
                let after = nodes.iter().copied().find(|&node| {
                    !self.in_group(group, node) && self.reach.reaches(&self.chains, member, node)
                });
                if let Some(outside) = after {
                    self.push_after(group, member, outside);
                }
            }
        }
    }
}
