//! Thread instances: templates unfolded from the initial thread, each creation that can repeat so many times.
//!
//! Whether a bound is enough is not known here: a thread that comes by a creation more often than there are instances has left
//! the model, and whoever explores has to notice.

use crate::graph::{Ccfg, ObjectId, TemplateId};
use crate::memory::{REGION, REGIONS};
use std::collections::HashMap;

/// More instances than this are not made.
const MANY: usize = 40;

/// A thread, an index into [`Instances::list`]; 0 is the initial one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(pub u32);

/// A thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What it runs.
    pub template: TemplateId,
    /// Who makes it, and at which of its sites.
    pub maker: Option<(InstanceId, u32)>,
}

/// All threads there can be, up to a bound.
#[derive(Clone, Debug)]
pub struct Instances {
    /// The threads.
    pub list: Vec<Instance>,
    /// Those made by a thread at a site, in the order in which they are.
    pub made: HashMap<(InstanceId, u32), Vec<InstanceId>>,
}

impl Instances {
    /// Unfolds every repeating site `bound` times.
    pub fn new(ccfg: &Ccfg, bound: u32) -> Instances {
        let mut all = Instances {
            list: vec![Instance {
                template: TemplateId(0),
                maker: None,
            }],
            made: HashMap::new(),
        };
        let mut at = 0;
        while at < all.list.len() {
            let maker = InstanceId(at as u32);
            let template = ccfg.template(all.list[at].template);
            for (s, site) in template.sites.iter().enumerate() {
                let count = if site.repeats { bound } else { 1 };
                for _ in 0..count {
                    if all.list.len() >= MANY {
                        break;
                    }
                    let new = InstanceId(all.list.len() as u32);
                    all.list.push(Instance {
                        template: site.template,
                        maker: Some((maker, s as u32)),
                    });
                    all.made.entry((maker, s as u32)).or_default().push(new);
                }
            }
            at += 1;
        }
        all
    }

    /// An instance.
    pub fn get(&self, id: InstanceId) -> Instance {
        self.list[id.0 as usize]
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = InstanceId> + use<> {
        (0..self.list.len() as u32).map(InstanceId)
    }

    /// All instances of a template.
    pub fn of(&self, template: TemplateId) -> impl Iterator<Item = InstanceId> + '_ {
        self.ids()
            .filter(move |i| self.get(*i).template == template)
    }

    /// The address of an object, of an owned one as this instance has it.
    pub fn address(ccfg: &Ccfg, object: ObjectId, instance: InstanceId) -> u64 {
        let o = ccfg.object(object);
        match o.owner {
            Some(_) => REGIONS + u64::from(instance.0) * REGION + o.base,
            None => o.base,
        }
    }
}
