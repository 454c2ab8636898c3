//! What keys and the mouse do.

use super::Screen;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

/// Keys that are commands, and what help says of them.
pub(super) const KEYS: &[(char, &str, &str)] = &[
    ('s', "step", "to the next line, into functions"),
    ('n', "next", "to the next line, over calls"),
    ('o', "out", "out of the function"),
    ('i', "stepi", "one instruction"),
    ('c', "continue", "until a breakpoint or the end"),
    ('S', "back", "the step before"),
    ('N', "back-next", "back by a line, over calls"),
    ('O', "back-out", "back to where this function was called"),
    ('I', "back-stepi", "back by one instruction"),
    (
        'C',
        "back-continue",
        "back to the last breakpoint or the beginning",
    ),
    ('f', "can-fail", "can any assertion still fail?"),
    (
        'd',
        "can-deadlock",
        "can threads still wait for each other for ever?",
    ),
    ('w', "waits", "who waits for whom"),
    ('l', "locks", "locks that are held"),
    ('B', "branches", "the histories there are"),
    ('e', "moment end", "the end of this history"),
    ('a', "moment start", "the beginning"),
];

/// Keys that are not, for help.
pub(super) const OTHERS: &[(&str, &str)] = &[
    ("0-9", "select a thread"),
    (
        "g",
        "what if the selected thread went next, whatever was recorded",
    ),
    (
        "r",
        "let the selected thread go until it would have to wait",
    ),
    ("b", "a breakpoint at the cursor, or none"),
    ("↑ ↓ PgUp PgDn", "move the cursor in the source"),
    ("Home", "the cursor to where the selected thread is"),
    ("J", "to the run that was found to go wrong beside this one"),
    (":", "any command; `:help` lists them"),
    ("?", "this help"),
    ("q", "quit"),
    (
        "mouse",
        "select threads, move the cursor; a click on a line number is a breakpoint",
    ),
];

impl Screen<'_> {
    pub(super) fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if let Some(text) = &mut self.typing {
            match key.code {
                KeyCode::Enter => {
                    let line = self.typing.take().unwrap_or_default();
                    if !line.trim().is_empty() {
                        self.command(line.trim());
                    }
                }
                KeyCode::Esc => self.typing = None,
                KeyCode::Char('c') if control => self.typing = None,
                KeyCode::Backspace => {
                    text.pop();
                }
                KeyCode::Char(c) => text.push(c),
                _ => {}
            }
            return;
        }
        if self.help {
            self.help = false;
            return;
        }
        let selected = self.console.session.selected().0;
        match key.code {
            KeyCode::Char('c') if control => self.quit = true,
            KeyCode::Char('q') => self.quit = true,
            KeyCode::Char('?') => self.help = true,
            KeyCode::Char(':') => self.typing = Some(String::new()),
            KeyCode::Char('J') => self.command("jump"),
            KeyCode::Char('g') => self.command(&format!("go {selected}")),
            KeyCode::Char('r') => self.command(&format!("run {selected}")),
            KeyCode::Char('b') => self.toggle(),
            KeyCode::Char(digit @ '0'..='9') => self.command(&format!("thread {digit}")),
            KeyCode::Char(c) => {
                if let Some((_, command, _)) = KEYS.iter().find(|(key, ..)| *key == c) {
                    self.command(command);
                }
            }
            KeyCode::Up => self.move_cursor(-1),
            KeyCode::Down => self.move_cursor(1),
            KeyCode::PageUp => self.move_cursor(-20),
            KeyCode::PageDown => self.move_cursor(20),
            KeyCode::Home => self.follow(),
            _ => {}
        }
    }

    fn move_cursor(&mut self, by: i64) {
        let most = self.console.sources.count(self.cursor.0).max(1);
        let line = i64::from(self.cursor.1) + by;
        self.cursor.1 = line.clamp(1, i64::from(most)) as u32;
    }

    /// A breakpoint at the cursor, or none.
    fn toggle(&mut self) {
        let (file, line) = self.cursor;
        let at = crate::breakpoints::Spot::Line(file, line);
        let all = self.console.session.breakpoints.all();
        let there = all.iter().find(|b| b.spot == at).map(|b| b.id);
        match there {
            Some(id) => self.command(&format!("delete {id}")),
            None => {
                let name = self.console.session.file(file).to_string();
                let cursor = self.cursor;
                self.command(&format!("break {name}:{line}"));
                self.cursor = cursor;
            }
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.move_cursor(-3),
            MouseEventKind::ScrollDown => self.move_cursor(3),
            MouseEventKind::Down(MouseButton::Left) if self.source_area.contains(at) => {
                let row = u32::from(mouse.row - self.source_area.y);
                self.cursor.1 = self.first + row;
                self.move_cursor(0);
                // The first columns are the margin.
                if mouse.column - self.source_area.x < super::draw::MARGIN {
                    self.toggle();
                }
            }
            MouseEventKind::Down(MouseButton::Left) if self.threads_area.contains(at) => {
                let thread = mouse.row - self.threads_area.y;
                self.command(&format!("thread {thread}"));
            }
            _ => {}
        }
    }
}
