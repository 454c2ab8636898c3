//! `raddle verify -Z NAME[=VALUE]`: what exists to compare ways of working, as the tables of the papers do, and is no
//! help to a user. None of it is stable.

use clap::{CommandFactory, Parser, ValueEnum};

// Each field is a setting of that name.
#[derive(Parser, Debug, Clone, Default)]
#[command(
    name = "raddle verify -Z",
    no_binary_name = true,
    about = "What `-Z` sets. Each is written without the dashes: `-Z rounds=2`",
    override_usage = "raddle verify -Z NAME[=VALUE] FILES...",
    disable_help_subcommand = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub struct Experiments {
    /// What the staged engine leaves to the solver: nothing (full), no-summaries, eager, clocks; + between several
    #[arg(long, value_name = "MODE", default_value = "full")]
    pub staged_mode: raddle_engine_staged::Mode,
    /// The staged engine: only executions of N rounds, in each of which every thread gets one turn; never `true`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// How the execution engine works: auto; reads-from, optimal, dpor or all (which executions to explore); states or
    /// reduced-states (remember them); driven (by a solver); prune (both)
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub fusion_mode: raddle_engine_fusion::Method,
    /// The execution engine: at most N preemptions; never `true`
    #[arg(long, value_name = "N")]
    pub preemptions: Option<u32>,
    /// The execution engine: at most N context switches; never `true`
    #[arg(long, value_name = "N")]
    pub switches: Option<u32>,
    /// The refinement and projection engines: at most N threads per repeated `pthread_create` site
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// The refinement engine without partial-order reduction
    #[arg(long)]
    pub no_reduction: bool,
    /// The projection engine: one question for all executions of up to N steps
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// How much one step of the projection engine is
    #[arg(long, value_enum, default_value = "transaction")]
    pub granularity: Granularity,
    /// The projection engine examines all executions, not only projections
    #[arg(long)]
    pub no_projection: bool,
    /// The projection engine uses the paper's constraint even where it has a sharper one
    #[arg(long)]
    pub projection_as_printed: bool,
    /// The projection engine keeps independent neighbours in the order of their threads
    #[arg(long)]
    pub ordered: bool,
    /// The projection engine tells threads apart that are the same
    #[arg(long)]
    pub no_symmetry: bool,
    /// The projection engine treats memory that only one thread touches like any other
    #[arg(long)]
    pub no_own_cells: bool,
    /// The projection engine asks only for violations, not whether there are longer executions; never `true`
    #[arg(long)]
    pub bounded_only: bool,
    /// Say on standard error what the projection engine's answer cost
    #[arg(long)]
    pub statistics: bool,
}

/// How much one step is.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Granularity {
    /// One shared access, or one atomic region
    Statement,
    /// Together with the following steps that no other thread can observe
    #[default]
    Transaction,
}

impl Experiments {
    /// Reads `NAME` and `NAME=VALUE`; `help` lists them all.
    pub fn read(settings: &[String]) -> Result<Experiments, clap::Error> {
        if settings.iter().any(|s| s == "help") {
            let shown = Experiments::command().disable_help_flag(false);
            return match shown.try_get_matches_from(["-h"]) {
                Err(help) => Err(help),
                Ok(_) => Ok(Experiments::default()),
            };
        }
        let all = settings.iter();
        if let Some(unknown) = all.clone().find(|s| !Experiments::has(s)) {
            let what = format!("there is no experiment `{unknown}`; `-Z help` lists them\n");
            return Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, what));
        }
        Experiments::try_parse_from(all.map(|s| format!("--{s}")))
    }

    fn has(setting: &str) -> bool {
        let name = setting.split('=').next();
        let command = Experiments::command();
        command.get_arguments().any(|a| a.get_long() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &[&str]) -> Result<Experiments, clap::Error> {
        let settings: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
        Experiments::read(&settings)
    }

    #[test]
    fn settings_have_names_and_values() {
        let found = read(&["rounds=2", "no-reduction", "granularity=statement"]).expect("settings");
        assert_eq!(found.rounds, Some(2));
        assert!(found.no_reduction && !found.ordered);
        assert_eq!(found.granularity, Granularity::Statement);
        assert_eq!(
            read(&[]).expect("none").fusion_mode,
            raddle_engine_fusion::Method::Auto
        );
    }

    #[test]
    fn what_is_no_setting_is_refused() {
        for wrong in [
            "round=2",
            "rounds=0",
            "rounds",
            "fusion-mode=fast",
            "ordered=yes",
            "",
        ] {
            assert!(read(&[wrong]).is_err(), "{wrong}");
        }
        let help = read(&["help"]).expect_err("a text");
        assert!(!help.use_stderr() && help.to_string().contains("granularity"));
    }
}
