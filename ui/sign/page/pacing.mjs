// How a meter climbs on the sign. Pure: whole cents and milliseconds in, whole cents out.
//
// What is shown never stands above the last true amount. It climbs to a new one evenly, over one and a half times the mean
// gap between updates, never longer than ten seconds. It steps at once where the true amount fell below it, and where a
// climb would be a lie: after an award, a reseed or a rejected claim, up or down, and as long as a win is pending.

export const LONGEST_MS = 10000;
export const FIRST_MS = 3000;
const REMEMBERED = 8;

// A pace: from `from` to the true amount `to`, beginning at `since`, taking `over` milliseconds.

export function begin(cents, now) {
  return { from: cents, to: cents, since: now, over: 0, gaps: [], changed: null };
}

export function shown(pace, now) {
  const gone = Math.max(0, now - pace.since);
  if (gone >= pace.over) return pace.to;
  return pace.from + Math.floor(((pace.to - pace.from) * gone) / pace.over);
}

// `leap`: step to it, whatever is shown.
export function receive(pace, cents, now, leap = false) {
  if (cents === pace.to) return leap ? { ...pace, from: cents, since: now, over: 0 } : pace;
  const at = shown(pace, now);
  const gaps = pace.changed === null ? [] : [...pace.gaps, now - pace.changed].slice(-REMEMBERED);
  const next = { to: cents, since: now, gaps, changed: now };
  return leap || cents <= at ? { ...next, from: cents, over: 0 } : { ...next, from: at, over: climbing(gaps) };
}

// The bank is not heard: what is shown stays, however true.
export function stop(pace, now) {
  return { ...pace, from: shown(pace, now), since: now, over: Infinity };
}

// The bank is heard again: the rest of the climb begins.
export function go(pace, now) {
  return pace.over === Infinity ? { ...pace, since: now, over: climbing(pace.gaps) } : pace;
}

function climbing(gaps) {
  if (gaps.length === 0) return FIRST_MS;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return Math.min(LONGEST_MS, 1.5 * mean);
}

// "$10,012.34", with integer arithmetic only.
export function money(cents) {
  const whole = Math.floor(cents / 100).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  return `$${whole}.${(cents % 100).toString().padStart(2, "0")}`;
}
