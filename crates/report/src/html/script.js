'use strict';
// Everything from the program gets into the page through textContent.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined && text !== null) element.textContent = text;
    return element;
  };
  const colour = (thread) => `var(--c${thread % 8})`;
  const state = { run: 0, step: 0 };

  byId('verdict').textContent = 'verdict: ' + data.verdict;
  byId('verdict').className = data.verdict.split('(')[0];
  byId('cause').textContent = data.cause;
  for (const line of data.details) byId('details').append(make('li', '', line));
  for (const line of data.assumptions) byId('assumptions').append(make('li', '', line));
  byId('replay').textContent = data.replay;
  if (!data.assumptions.length && !data.replay) byId('about').hidden = true;
  const marks = new Map();
  questions();
  proof();
  if (!data.runs.length) return;
  byId('keys').hidden = false;
  byId('controls').hidden = false;
  byId('main').hidden = false;

  // The source with a mark at every question: who answered it, or why it is open.
  function questions() {
    const all = data.questions;
    if (!all) return;
    byId('questions').hidden = false;
    for (const status of ['proved', 'violated', 'open']) {
      const count = make('span', 'count');
      count.dataset.status = status;
      count.append(make('span', 'mark ' + status), make('span', '', `${all[status]} ${status}`));
      byId('counts').append(count);
    }
    all.list.forEach((question, index) => {
      question.number = index;
      if (!question.place) return;
      const key = question.place[0] + ':' + question.place[1];
      marks.set(key, [...(marks.get(key) || []), question]);
    });
    opens(all.list.filter((question) => question.status === 'open'));
    data.files.forEach((file, number) => {
      if (!all.list.some((question) => question.place && question.place[0] === number)) return;
      byId('answers').append(make('h3', '', file.name));
      const code = make('div', 'marked');
      code.tabIndex = 0;
      file.lines.forEach((text, index) => {
        const row = make('div', 'line');
        row.dataset.line = index + 1;
        const gutter = make('span', 'marks');
        const here = marks.get(number + ':' + (index + 1));
        if (here) gutter.append(dot(here, () => unfold(row, here)));
        row.append(gutter, make('span', 'number', String(index + 1)), make('span', '', text));
        code.append(row);
      });
      byId('answers').append(code);
    });
    const nowhere = all.list.filter((question) => !question.place && question.status !== 'open');
    if (!nowhere.length) return;
    byId('answers').append(make('h3', '', 'Of the program as a whole'));
    const list = make('ul', 'answer');
    for (const question of nowhere) list.append(answer(question));
    byId('answers').append(list);
  }

  // The worst answer on a line.
  function worst(here) {
    return ['violated', 'open', 'proved'].find((status) => here.some((question) => question.status === status));
  }

  function dot(here, act) {
    const status = worst(here);
    const mark = make('button', 'mark ' + status);
    mark.type = 'button';
    mark.title = here.map(sentence).join('\n');
    mark.setAttribute('aria-label', here.map(sentence).join('; '));
    mark.setAttribute('aria-expanded', 'false');
    mark.addEventListener('click', act);
    return mark;
  }

  function title(question) {
    return question.property + (question.about ? ` of ${question.about}` : '');
  }

  function sentence(question) {
    const proof = data.questions.proofs[question.proof];
    if (proof) return `${title(question)}: ${question.status} by ${proof.engine}`;
    return `${title(question)}: ${question.status}${question.engine ? ` by ${question.engine}` : ''}`;
  }

  // An answer in full.
  function answer(question) {
    const item = make('li', 'says-' + question.status, sentence(question));
    const lines = [];
    const proof = data.questions.proofs[question.proof];
    if (proof) {
      lines.push(proof.how);
      for (const one of proof.assumptions) lines.push('assuming: ' + one);
      if (data.questions.limit) lines.push('safe for ' + data.questions.limit);
    }
    if (question.why) lines.push(question.why);
    const tried = data.questions.reasons[question.reason];
    for (const one of tried || []) {
      lines.push(`${one.engine}: ${one.why}`);
      for (const advice of one.advice) if (advice !== one.why) lines.push('    ' + advice);
    }
    if (tried && !tried.length) lines.push('not tried');
    const list = make('ul', 'because');
    for (const line of lines) list.append(make('li', '', line));
    item.append(list);
    return item;
  }

  function unfold(row, here) {
    const button = row.querySelector('.mark');
    const next = row.nextElementSibling;
    if (next && next.classList.contains('answer')) {
      next.remove();
      button.setAttribute('aria-expanded', 'false');
      return;
    }
    const list = make('ul', 'answer');
    for (const question of here) list.append(answer(question));
    row.after(list);
    button.setAttribute('aria-expanded', 'true');
  }

  // Those that engines say the same of, together.
  function opens(all) {
    if (!all.length) return;
    byId('open').hidden = false;
    const groups = new Map();
    for (const question of all) {
      const key = question.reason === undefined ? 'proof ' + question.proof : question.reason;
      groups.set(key, [...(groups.get(key) || []), question]);
    }
    for (const group of groups.values()) {
      const item = make('li', 'group');
      const places = make('p', 'places');
      for (const question of group) {
        const place = question.place;
        const where = place ? `line ${place[1]}: ` : '';
        const link = make('button', 'place', where + title(question));
        link.type = 'button';
        link.disabled = !place;
        link.addEventListener('click', () => show(place));
        places.append(link);
      }
      item.append(places);
      item.append(answer(group[0]).querySelector('.because'));
      byId('opens').append(item);
    }
  }

  function show(place) {
    const files = data.files.map((_, number) => number).filter((number) => data.questions.list.some((q) => q.place && q.place[0] === number));
    const code = byId('answers').querySelectorAll('.marked')[files.indexOf(place[0])];
    const row = code.querySelector(`[data-line="${place[1]}"]`);
    row.scrollIntoView({ block: 'center' });
    row.querySelector('.mark').focus();
  }

  // The source of a proved program, with what holds before a line above it.
  function proof() {
    if (!data.holds.length) return;
    byId('proof').hidden = false;
    data.files.forEach((file, number) => {
      const at = new Map();
      for (const one of data.holds) {
        if (one.place[0] !== number) continue;
        at.set(one.place[1], [...(at.get(one.place[1]) || []), one]);
      }
      if (!at.size) return;
      byId('proofs').append(make('h3', '', file.name));
      const code = make('div', 'proved');
      code.tabIndex = 0;
      file.lines.forEach((text, index) => {
        for (const one of at.get(index + 1) || []) {
          const row = make('div', 'holds', one.text);
          row.dataset.line = index + 1;
          row.title = `holds at line ${index + 1}, in ${one.function}`;
          code.append(row);
        }
        const row = make('div', 'line');
        row.append(make('span', 'number', String(index + 1)), make('span', '', text));
        code.append(row);
      });
      byId('proofs').append(code);
    });
  }

  const run = () => data.runs[state.run];
  const kinds = { reads: 'reads what was written', lock: 'takes what was given back', signal: 'was woken', create: 'was made', join: 'waited for the end' };

  function tabs() {
    data.runs.forEach((one, index) => {
      const tab = make('button', '', one.title + (one.fails ? '' : ' (passes)'));
      tab.type = 'button';
      tab.setAttribute('role', 'tab');
      tab.dataset.run = index;
      tab.addEventListener('click', () => choose(index));
      byId('runs').append(tab);
    });
  }

  let cells = [];
  let paths = [];
  function lanes() {
    const grid = byId('lanes');
    grid.replaceChildren();
    cells = [];
    paths = [];
    const { threads, steps, differs } = run();
    grid.style.gridTemplateColumns = threads.map(() => 'minmax(11rem, 1fr)').join(' ');
    threads.forEach((thread, column) => {
      const head = make('div', 'lane', `thread ${thread.number}: ${thread.function}`);
      head.style.setProperty('--lane', colour(thread.number));
      head.style.gridColumn = column + 1;
      head.style.gridRow = 1;
      grid.append(head);
      const rail = make('div', 'rail');
      rail.style.setProperty('--lane', colour(thread.number));
      rail.style.gridColumn = column + 1;
      rail.style.gridRow = `2 / ${steps.length + 2}`;
      grid.append(rail);
    });
    steps.forEach((step, index) => {
      const cell = make('button', 'step');
      cell.type = 'button';
      cell.dataset.step = index + 1;
      cell.dataset.thread = step.thread;
      cell.dataset.line = step.place ? step.place[1] : '';
      cell.style.setProperty('--lane', colour(step.thread));
      cell.style.gridColumn = step.thread + 1;
      cell.style.gridRow = index + 2;
      const line = step.place ? step.place[1] + ' ' : '';
      cell.append(make('span', 'text', line + shown(step)));
      for (const [name, before, after] of step.changes) {
        cell.append(make('span', 'change', before === null ? `${name} = ${after}` : `${name}: ${before} → ${after}`));
      }
      if (run().fails && index === steps.length - 1) cell.classList.add('bad');
      if (differs !== null && index >= differs) cell.classList.add('differs');
      cell.addEventListener('click', () => go(index));
      cell.tabIndex = -1;
      cells.push(cell);
      grid.append(cell);
    });
    requestAnimationFrame(arrows);
  }

  // The whole line of the source says more than the expression.
  function shown(step) {
    const file = step.place && data.files[step.place[0]];
    const line = file && file.lines[step.place[1] - 1];
    return (line === undefined ? step.text : line).trim();
  }

  function arrows() {
    const grid = byId('lanes');
    grid.querySelectorAll('svg').forEach((old) => old.remove());
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('class', 'arrows');
    svg.setAttribute('aria-hidden', 'true');
    const marker = document.createElementNS(space, 'marker');
    for (const [key, value] of [['id', 'tip'], ['viewBox', '0 0 8 8'], ['refX', '7'], ['refY', '4'], ['markerWidth', '7'], ['markerHeight', '7'], ['orient', 'auto']]) marker.setAttribute(key, value);
    const tip = document.createElementNS(space, 'path');
    tip.setAttribute('d', 'M0,0 L8,4 L0,8 z');
    tip.setAttribute('style', 'fill: currentColor; stroke: none');
    marker.append(tip);
    svg.append(marker);
    paths = run().arrows.map(([from, to, kind]) => {
      const a = cells[from];
      const b = cells[to];
      const right = b.offsetLeft > a.offsetLeft;
      const x1 = right ? a.offsetLeft + a.offsetWidth : a.offsetLeft;
      const x2 = right ? b.offsetLeft : b.offsetLeft + b.offsetWidth;
      const y1 = a.offsetTop + a.offsetHeight / 2;
      const y2 = b.offsetTop + b.offsetHeight / 2;
      const bend = (x1 + x2) / 2;
      const path = document.createElementNS(space, 'path');
      path.setAttribute('d', `M${x1},${y1} C${bend},${y1} ${bend},${y2} ${x2},${y2}`);
      path.setAttribute('class', kind);
      path.setAttribute('marker-end', 'url(#tip)');
      svg.append(path);
      return path;
    });
    svg.setAttribute('width', grid.scrollWidth);
    svg.setAttribute('height', grid.scrollHeight);
    grid.append(svg);
    mark();
  }

  let shownFile = -1;
  let rows = [];
  function source(number) {
    if (number === shownFile) return;
    shownFile = number;
    const file = data.files[number];
    byId('file').textContent = file.name;
    rows = file.lines.map((text, index) => {
      const row = make('div', 'row');
      const gutter = make('span', 'gutter', String(index + 1));
      const here = marks.get(number + ':' + (index + 1));
      if (here) {
        const mark = make('span', 'mark ' + worst(here));
        mark.title = here.map(sentence).join('\n');
        gutter.prepend(mark);
      }
      row.append(gutter, make('span', '', text));
      return row;
    });
    byId('source').replaceChildren(...rows);
  }

  // Where every thread stands, and what everything holds, after the current step.
  function mark() {
    const { threads, steps, arrows: links } = run();
    const step = steps[state.step];
    cells.forEach((cell, index) => {
      cell.classList.toggle('now', index === state.step);
      cell.classList.toggle('future', index > state.step);
      cell.tabIndex = index === state.step ? 0 : -1;
      if (index === state.step) cell.setAttribute('aria-current', 'step');
      else cell.removeAttribute('aria-current');
    });
    paths.forEach((path, index) => {
      const [from, to] = links[index];
      path.classList.toggle('active', to === state.step || from === state.step);
    });
    if (!step) return;
    if (step.place) source(step.place[0]);
    for (const row of byId('source').querySelectorAll('.here, .bad')) row.classList.remove('here', 'bad');
    for (const tag of byId('source').querySelectorAll('.tag')) tag.remove();
    const stands = new Map();
    for (let index = 0; index <= state.step; index++) stands.set(steps[index].thread, steps[index]);
    for (const [thread, at] of stands) {
      if (!at.place || at.place[0] !== shownFile) continue;
      const row = rows[at.place[1] - 1];
      if (!row) continue;
      const tag = make('span', 'tag', String(thread));
      tag.title = `thread ${thread}: ${threads[thread].function}`;
      tag.style.setProperty('--lane', colour(thread));
      row.firstChild.prepend(tag);
      if (at === step) {
        row.classList.add('here');
        const box = byId('source');
        box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
      }
    }
    if (data.at && run().fails && state.step === steps.length - 1 && data.at[0] === shownFile && rows[data.at[1] - 1]) rows[data.at[1] - 1].classList.add('bad');
    const values = new Map();
    for (let index = 0; index <= state.step; index++) {
      for (const [name, , after] of steps[index].changes) values.set(name, [after, index === state.step]);
    }
    const body = byId('values').tBodies[0];
    body.replaceChildren(...[...values].map(([name, [value, changed]]) => {
      const row = make('tr', changed ? 'changed' : '');
      row.append(make('td', '', name), make('td', '', value));
      return row;
    }));
    const why = links.filter(([, to]) => to === state.step).map(([from, , kind, what]) => `${kinds[kind]} in step ${from + 1}${what ? ` (${what})` : ''}`);
    const held = step.held.length ? `; holds ${step.held.join(', ')}` : '';
    const end = run().fails && state.step === steps.length - 1 ? ' – here it goes wrong' : '';
    const line = step.place ? `, line ${step.place[1]}` : '';
    byId('now').textContent = `Step ${state.step + 1}: thread ${step.thread} in ${step.function}${line}${held}${why.length ? '; ' + why.join('; ') : ''}${end}`;
    byId('slider').value = state.step;
    byId('position').textContent = `${state.step + 1} of ${steps.length}`;
  }

  function go(step) {
    const last = run().steps.length - 1;
    state.step = Math.max(0, Math.min(last, step));
    mark();
    const cell = cells[state.step];
    const box = byId('timeline');
    if (cell) {
      const top = cell.offsetTop - box.clientHeight / 2;
      if (cell.offsetTop < box.scrollTop + 40 || cell.offsetTop + cell.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top;
      if (cell.offsetLeft < box.scrollLeft || cell.offsetLeft + cell.offsetWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = cell.offsetLeft - 20;
      if (document.activeElement && document.activeElement.classList.contains('step')) cell.focus({ preventScroll: true });
    }
    history.replaceState(null, '', `#${state.run > 0 ? `run-${state.run + 1},` : ''}step-${state.step + 1}`);
  }

  function choose(index, step) {
    state.run = index;
    shownFile = -1;
    for (const tab of byId('runs').children) tab.setAttribute('aria-selected', String(Number(tab.dataset.run) === index));
    const steps = run().steps.length;
    byId('slider').max = Math.max(0, steps - 1);
    lanes();
    go(step === undefined ? Math.min(state.step, steps - 1) : step);
  }

  function nextSwitch() {
    const { steps } = run();
    let at = state.step + 1;
    while (at < steps.length - 1 && steps[at].thread === steps[at - 1].thread) at++;
    go(at);
  }

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.id === 'slider' && event.key.startsWith('Arrow')) return;
    const actions = {
      j: () => go(state.step + 1), ArrowRight: () => go(state.step + 1), ArrowDown: () => go(state.step + 1),
      k: () => go(state.step - 1), ArrowLeft: () => go(state.step - 1), ArrowUp: () => go(state.step - 1),
      Home: () => go(0), End: () => go(run().steps.length - 1), n: nextSwitch,
      s: () => choose((state.run + 1) % data.runs.length),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  byId('first').addEventListener('click', () => go(0));
  byId('back').addEventListener('click', () => go(state.step - 1));
  byId('forward').addEventListener('click', () => go(state.step + 1));
  byId('last').addEventListener('click', () => go(run().steps.length - 1));
  byId('slider').addEventListener('input', (event) => go(Number(event.target.value)));
  window.addEventListener('resize', () => requestAnimationFrame(arrows));
  const follow = () => {
    const wanted = /^#(?:run-(\d+),)?step-(\d+)$/.exec(location.hash);
    const index = wanted && wanted[1] ? Math.min(data.runs.length, Number(wanted[1])) - 1 : 0;
    choose(Math.max(0, index), wanted ? Number(wanted[2]) - 1 : data.runs[0].steps.length - 1);
  };
  window.addEventListener('hashchange', follow);
  tabs();
  follow();
})();
