//! What the panes show.

use super::Screen;
use super::keys::{KEYS, OTHERS};
use crate::breakpoints::Spot;
use crate::show::Part;
use raddle_interp::ThreadId;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

/// The width of the margin before the source.
pub(super) const MARGIN: u16 = 12;

fn strong() -> Style {
    Style::default().add_modifier(Modifier::BOLD)
}

fn reversed() -> Style {
    Style::default().add_modifier(Modifier::REVERSED)
}

impl Screen<'_> {
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        let [head, middle, timeline, log, input] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(8),
            Constraint::Length(self.lanes() + 2),
            Constraint::Length(8),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        let [source, side] =
            Layout::horizontal([Constraint::Percentage(58), Constraint::Percentage(42)])
                .areas(middle);
        let threads = self.console.session.machine().threads().count() as u16;
        let [top, bottom] =
            Layout::vertical([Constraint::Length(threads.min(10) + 2), Constraint::Min(3)])
                .areas(side);
        self.draw_head(frame, head);
        self.draw_source(frame, source);
        self.draw_threads(frame, top);
        self.draw_variables(frame, bottom);
        self.draw_timeline(frame, timeline);
        self.draw_log(frame, log);
        self.draw_input(frame, input);
        if self.help {
            self.draw_help(frame);
        }
    }

    fn draw_head(&self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.console.session;
        let branch = session.branch();
        let mut text = format!(
            " {}  {}: moment {} of {}",
            self.console.files.join(" "),
            branch.name,
            session.here(),
            branch.len()
        );
        if let Some(end) = session.end_line() {
            text.push_str(&format!("  {end}"));
        }
        frame.render_widget(Paragraph::new(text).style(reversed()), area);
    }

    fn draw_source(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.console.session;
        let (file, cursor) = self.cursor;
        let height = u32::from(area.height.saturating_sub(2)).max(1);
        if cursor < self.first || cursor >= self.first + height {
            self.first = cursor.saturating_sub(height / 2).max(1);
        }
        let block = Block::bordered().title(format!(" {} ", session.file(file)));
        self.source_area = block.inner(area);
        let mut lines = Vec::new();
        for number in self.first..self.first + height {
            let Some(text) = self.console.sources.line(file, number) else {
                break;
            };
            let here = |t: &ThreadId| {
                let p = session.position(*t);
                p.is_some_and(|p| (p.file, p.line) == (file, number))
            };
            let who = session.machine().threads().filter(here);
            let who: Vec<String> = who.map(|t| t.0.to_string()).collect();
            let spot = Spot::Line(file, number);
            let stops = session.breakpoints.all().iter().any(|b| b.spot == spot);
            let mark = if stops { '●' } else { ' ' };
            let arrow = match who.is_empty() {
                true => String::new(),
                false => format!("{}▸", who.join(",")),
            };
            // Control characters would not stay in their pane.
            let clean: String = text
                .replace('\t', "    ")
                .chars()
                .filter(|c| !c.is_control())
                .collect();
            let margin = format!("{mark}{arrow:>5}{number:>5} ");
            let mut style = Style::default();
            if !who.is_empty() {
                style = strong();
            }
            if number == cursor {
                style = style.add_modifier(Modifier::UNDERLINED);
            }
            lines.push(Line::from(vec![
                Span::raw(margin),
                Span::styled(clean, style),
            ]));
        }
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }

    fn draw_threads(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.console.session;
        let block = Block::bordered().title(" threads ");
        self.threads_area = block.inner(area);
        let line = |t: ThreadId| {
            let place = session.stack(t).first().map(|(a, _)| session.place(a.span));
            let place = place.map_or(String::new(), |p| format!(" {p}"));
            let text = format!(
                "{} {}{place}: {}",
                t.0,
                session.start_of(t),
                session.doing(t)
            );
            match t == session.selected() {
                true => Line::styled(text, reversed()),
                false => Line::raw(text),
            }
        };
        let lines: Vec<Line<'_>> = session.machine().threads().map(line).collect();
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }

    fn draw_variables(&self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.console.session;
        let show = |p: &Part| Line::raw(format!("{} = {}", p.name, session.show(&p.thing)));
        let mut lines: Vec<Line<'_>> = session
            .locals(self.console.frame())
            .iter()
            .map(show)
            .collect();
        let globals = session.globals(session.selected());
        if !globals.is_empty() {
            lines.push(Line::styled("globals", strong()));
        }
        lines.extend(globals.iter().map(show));
        let block = Block::bordered().title(" variables ");
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }

    fn lanes(&self) -> u16 {
        let threads = self.console.session.machine().threads().count();
        (threads as u16).min(6)
    }

    /// A lane for each thread: who took the steps around this moment.
    fn draw_timeline(&self, frame: &mut Frame<'_>, area: Rect) {
        let session = &self.console.session;
        let width = usize::from(area.width.saturating_sub(8)).max(10);
        let from = session.here().saturating_sub(width / 2);
        let lane = |t: u16| {
            let mut cells = format!("{t:>3} ");
            for moment in from..from + width {
                let mine = session.branch().thread_at(moment) == Some(ThreadId(u32::from(t)));
                cells.push(match (moment == session.here(), mine) {
                    (true, true) => '◆',
                    (true, false) => '│',
                    (false, true) if moment < session.here() => '█',
                    (false, true) => '░',
                    (false, false) => ' ',
                });
            }
            Line::raw(cells)
        };
        let lines: Vec<Line<'_>> = (0..self.lanes()).map(lane).collect();
        let block = Block::bordered().title(format!(" steps {from} to {} ", from + width));
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }

    fn draw_log(&self, frame: &mut Frame<'_>, area: Rect) {
        let height = usize::from(area.height.saturating_sub(2));
        let from = self.log.len().saturating_sub(height);
        let lines: Vec<Line<'_>> = self.log[from..]
            .iter()
            .map(|l| Line::raw(l.as_str()))
            .collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered()), area);
    }

    fn draw_input(&self, frame: &mut Frame<'_>, area: Rect) {
        let (text, style) = match (&self.typing, &self.console.warning) {
            (Some(text), _) => (format!(":{text}█"), Style::default()),
            (None, Some(_)) => (
                " another interleaving goes wrong: J goes there".into(),
                strong(),
            ),
            (None, None) => (
                " s step  n next  o out  c continue  (capitals: back)  g go  b break  f can it fail?  : command  ? help  q quit".into(),
                Style::default(),
            ),
        };
        frame.render_widget(Paragraph::new(text).style(style), area);
    }

    fn draw_help(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let mut lines: Vec<Line<'_>> = Vec::new();
        for (key, command, what) in KEYS {
            lines.push(Line::raw(format!("  {key:<4} {what} ({command})")));
        }
        for (key, what) in OTHERS {
            lines.push(Line::raw(format!("  {key:<14} {what}")));
        }
        lines.push(Line::raw("  any key closes this"));
        let height = (lines.len() as u16 + 2).min(area.height);
        let width = 86.min(area.width);
        let place = Rect {
            x: (area.width - width) / 2,
            y: (area.height - height) / 2,
            width,
            height,
        };
        frame.render_widget(Clear, place);
        frame.render_widget(
            Paragraph::new(lines).block(Block::bordered().title(" help ")),
            place,
        );
    }
}
