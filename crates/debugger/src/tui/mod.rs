//! The front end for a terminal: panes for source, threads, variables and the timeline, keys and the mouse, and a line for commands.
//!
//! It has no logic of its own: what a key does is a command of [`crate::console`], and what the panes show is what the session says.

mod draw;
mod keys;

use crate::background::Background;
use crate::console::Console;
use raddle_ir::FileId;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind,
};
use ratatui::crossterm::execute;
use ratatui::layout::Rect;
use std::time::Duration;

/// How often something that happens beside is looked for.
const TICK: Duration = Duration::from_millis(100);
/// Lines of answers that are kept.
const KEPT: usize = 2_000;

/// What is on the screen.
pub(crate) struct Screen<'p> {
    console: Console<'p>,
    /// The answers of commands, the last at the end.
    log: Vec<String>,
    /// The command that is being typed, if one is.
    typing: Option<String>,
    /// The line of the source that the cursor is at.
    cursor: (FileId, u32),
    /// The first line of the source that is shown.
    first: u32,
    help: bool,
    quit: bool,
    /// Where panes were drawn last, for the mouse.
    source_area: Rect,
    threads_area: Rect,
}

impl<'p> Screen<'p> {
    fn new(console: Console<'p>) -> Screen<'p> {
        let mut screen = Screen {
            console,
            log: vec!["? for help, : for commands, q to quit".into()],
            typing: None,
            cursor: (FileId(0), 1),
            first: 1,
            help: false,
            quit: false,
            source_area: Rect::default(),
            threads_area: Rect::default(),
        };
        screen.follow();
        screen
    }

    /// Moves the cursor to where the selected thread is.
    fn follow(&mut self) {
        let session = &self.console.session;
        let place = session.position(session.selected());
        if let Some(p) = place {
            self.cursor = (p.file, p.line);
        }
    }

    /// Does what a command says and keeps its answer.
    fn command(&mut self, line: &str) {
        let reply = self.console.execute(line);
        self.log.push(format!("(raddle) {line}"));
        self.log.extend(reply.text.lines().map(str::to_string));
        if let Some((path, text)) = &reply.save {
            self.log.push(match std::fs::write(path, text) {
                Ok(()) => format!("written: {path}"),
                Err(error) => format!("cannot write {path}: {error}"),
            });
        }
        let many = self.log.len().saturating_sub(KEPT);
        self.log.drain(..many);
        self.quit |= reply.quit;
        self.follow();
    }
}

/// Runs until the user quits. The terminal is restored whatever happens.
pub fn run(console: Console<'_>, inputs: Vec<i128>) -> std::io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let _ = execute!(std::io::stdout(), EnableMouseCapture);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let _ = execute!(std::io::stdout(), DisableMouseCapture);
        ratatui::restore();
        before(info);
    }));
    let program = console.session.program();
    let properties = console.session.branch().rules.checks.iter().collect();
    let engines = console.engines.clone();
    let mut screen = Screen::new(console);
    let result = std::thread::scope(|scope| {
        let beside = Background::start(scope, program, &engines, inputs, properties);
        while !screen.quit {
            terminal.draw(|frame| screen.draw(frame))?;
            // For the test that a crash leaves the terminal as it was.
            assert!(
                std::env::var_os("RADDLE_DEBUG_PANIC").is_none(),
                "as asked for"
            );
            if screen.console.warning.is_none()
                && let Some(warning) = beside.news()
            {
                let what = &warning.told.what;
                screen.log.push(format!(
                    "another interleaving goes wrong: {what}; J goes there"
                ));
                screen.console.warning = Some(warning);
            }
            if !event::poll(TICK)? {
                continue;
            }
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => screen.key(key),
                Event::Mouse(mouse) => screen.mouse(mouse),
                _ => {}
            }
        }
        Ok(())
    });
    let _ = execute!(std::io::stdout(), DisableMouseCapture);
    ratatui::restore();
    result
}
