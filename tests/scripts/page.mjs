// Pages of answers in a headless browser: page.mjs CHROMIUM SCREENSHOTS PAGE…, where each PAGE has a file PAGE.json beside it with what it must show.
// Prints `page: accepted` for every page that does.
import { createRequire } from 'node:module';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';

const require = createRequire(process.env.RADDLE_NODE_MODULES + '/');
const { chromium } = require('playwright-core');
const [, , executablePath, screenshots, ...pages] = process.argv;

function check(condition, what) {
  if (!condition) throw new Error(what);
}

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

async function try_(path) {
  const expected = JSON.parse(readFileSync(path + '.json', 'utf8'));
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: expected.dark ? 'dark' : 'light' });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => { if (message.type() === 'error') wrong.push('console: ' + message.text()); });
  page.on('pageerror', (error) => wrong.push('error: ' + error.message));
  page.on('dialog', (dialog) => { wrong.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  page.on('request', (request) => { if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) wrong.push('request: ' + request.url()); });
  await page.goto('file://' + path);
  const paint = await page.evaluate(() => new Promise((resolve) => {
    const seen = () => performance.getEntriesByName('first-contentful-paint')[0];
    const wait = () => (seen() ? resolve(seen().startTime) : setTimeout(wait, 10));
    wait();
  }));
  check(statSync(path).size < 1_000_000, `${statSync(path).size} bytes`);
  check(paint < 1000, `first paint after ${paint} ms`);
  check((await page.textContent('#cause')).includes(expected.cause), `the cause is ${await page.textContent('#cause')}`);
  if (expected.text) check((await page.textContent('body')).includes(expected.text), `${expected.text} is not shown`);
  check(await page.locator('script').count() === 2, 'there are other scripts');
  if (expected.holds) {
    const rows = page.locator('.proved .holds');
    check(await rows.count() > 0 && await rows.first().isVisible(), 'what holds is not shown');
    // Each stands right above its line.
    const right = await page.evaluate(() => [...document.querySelectorAll('.proved .holds')].every((row) => {
      let next = row.nextSibling;
      while (next.className === 'holds') next = next.nextSibling;
      return next.querySelector('.number').textContent === row.dataset.line;
    }));
    check(right, 'what holds stands above another line');
  }

  // The questions: counts, a mark at every line that asks one, and what stands behind a mark.
  const questions = expected.questions;
  const counts = await page.textContent('#counts');
  for (const status of ['proved', 'violated', 'open']) check(counts.includes(`${questions[status]} ${status}`), `the counts are ${counts}`);
  check(await page.locator('#open').isVisible() === (questions.open > 0), 'the open questions');
  const marks = page.locator('.marked .mark');
  check(await marks.count() === questions.lines, `${await marks.count()} marks instead of ${questions.lines}`);
  for (const status of questions.seen) {
    const mark = page.locator(`.marked .mark.${status}`).first();
    check(await mark.isVisible(), `no mark is ${status}`);
    check((await mark.getAttribute('title')).includes(status), 'a mark says nothing');
    await mark.click();
    const answer = page.locator('.marked .answer');
    check(await answer.count() === 1 && await answer.isVisible(), 'a mark opens nothing');
    check((await answer.locator('.because li').first().textContent()).length > 3, 'there is no reason');
    await mark.click();
    check(await answer.count() === 0, 'a mark closes nothing');
  }
  if (questions.seen.includes('open')) {
    await page.locator('#opens .place:not([disabled])').first().click();
    check(await page.evaluate(() => document.activeElement.classList.contains('mark')), 'an open question does not lead to its mark');
    await page.locator('.marked .mark.open').first().click();
  }
  check(await page.locator('#controls').isVisible() === expected.steps.length > 0, 'a player without a schedule');
  if (!expected.steps.length) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: `${screenshots}/${basename(path, '.html')}.png` });
  }

  // Every step: its lane, its line, its mark in the source.
  const steps = expected.steps;
  if (steps.length) {
    const shown = async () => page.evaluate(() => {
      const cell = document.querySelector('.step.now');
      const lanes = [...document.querySelectorAll('.lane')];
      const middle = cell.getBoundingClientRect();
      const lane = lanes.findIndex((l) => { const b = l.getBoundingClientRect(); return middle.left >= b.left - 5 && middle.right <= b.right + 5; });
      const row = document.querySelector('.row.here .gutter');
      const line = row ? Number(row.lastChild.textContent) : null;
      return { lane, line, thread: Number(cell.dataset.thread), position: document.getElementById('position').textContent };
    });
    await page.keyboard.press('Home');
    const some = steps.length > 60 ? 20 : steps.length;
    for (let at = 0; at < some; at++) {
      const now = await shown();
      check(now.position === `${at + 1} of ${steps.length}`, `step ${at + 1}: ${now.position}`);
      check(now.lane === steps[at][0] && now.thread === steps[at][0], `step ${at + 1}: lane ${now.lane}, thread ${now.thread} instead of ${steps[at][0]}`);
      check(now.line === steps[at][1], `step ${at + 1}: line ${now.line} instead of ${steps[at][1]}`);
      await page.keyboard.press(['j', 'ArrowRight', 'ArrowDown'][at % 3]);
    }
    await page.keyboard.press('End');
    const last = await shown();
    check(last.position === `${steps.length} of ${steps.length}`, 'End is not the end');
    await page.screenshot({ path: `${screenshots}/${basename(path, '.html')}.png` });
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
    check((await shown()).position === `${Math.max(1, steps.length - 3)} of ${steps.length}`, 'three steps back');
    await page.click('#first');
    check((await shown()).position === `1 of ${steps.length}`, 'the button to the first');
    await page.click('#forward');
    check((await shown()).position === `${Math.min(2, steps.length)} of ${steps.length}`, 'the button forward');
    await page.locator('#slider').fill(String(steps.length - 1));
    check((await shown()).position === `${steps.length} of ${steps.length}`, 'the slider');
    await page.locator('.step').first().click();
    check((await shown()).position === `1 of ${steps.length}`, 'a click on a step');
    // A link to a step.
    await page.goto('about:blank');
    await page.goto('file://' + path + '#step-2');
    check((await shown()).position === `${Math.min(2, steps.length)} of ${steps.length}`, 'a link to a step');
    // Other schedules.
    const tabs = page.locator('[role=tab]');
    for (let at = 0; at < await tabs.count(); at++) {
      await tabs.nth(at).click();
      check(await tabs.nth(at).getAttribute('aria-selected') === 'true', 'the chosen schedule is not marked');
      check(await page.locator('.step.now').count() === 1, 'no step is marked');
    }
    if (expected.passing) check((await page.textContent('#runs')).includes('passing'), 'there is no passing schedule');
  }
  check(wrong.length === 0, wrong.join('\n'));
  await context.close();
  console.log(`page: accepted ${basename(path)}, first paint ${Math.round(paint)} ms, ${statSync(path).size} bytes`);
}

try {
  for (const path of pages) await try_(path).catch((error) => { throw new Error(`${basename(path)}: ${error.message}`); });
} finally {
  await browser.close();
}
