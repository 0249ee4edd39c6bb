// The overhead sign: shows what the bank published, as it arrives by server-sent events. It computes no money: between
// two true amounts it only paces (pacing.mjs), and not while a win is pending: then it shows the win and the meter only.

import { begin, go, money, receive, shown, stop } from "/page/pacing.mjs";

const FRAME_MS = 40;
const AGAIN_MS = 2000;
const CLAIMS_MOST = 4; // pending wins of one meter that are listed; of more, their number
const TODAY_MOST = 3;
const DRAWN_MS = 10000;
const SHOWN_MS = 8000; // so long each part of the strip of prizes

const byId = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const meters = new Map(); // name → { pace, mark, panel, amount, text, claims, listed }
let board = null;
let silent = { ms: 0, at: performance.now() }; // so long the bank had been silent, when that was known

function listen() {
  const events = new EventSource("/events");
  events.onmessage = (event) => arrive(JSON.parse(event.data));
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MS);
  };
}

function arrive({ age_ms, board: news }) {
  const now = performance.now();
  silent = { ms: news.silence_ms + age_ms, at: now };
  board = news;
  board.at = now - age_ms;
  if (news.waiting) return;
  byId("title").textContent = typeset(news.title);
  byId("linked").textContent = news.tables === 1 ? "" : `${news.tables} tables linked`;
  if (order([...meters.values()]) !== order(news.meters)) build(news.meters, now);
  for (const { name, cents, steps } of news.meters) {
    const meter = meters.get(name);
    const mark = `${news.epoch} ${steps}`;
    const claims = news.pending.filter((claim) => claim.meter === name);
    meter.pace = receive(meter.pace, cents, now, still.matches || claims.length > 0 || mark !== meter.mark);
    meter.mark = mark;
    verify(meter, claims);
  }
  show();
}

// An apostrophe that begins a word keeps to the word before it: HOLD ’EM is never broken.
const typeset = (title) => title.replaceAll("'", "’").replaceAll(" ’", "\u00a0’");

const order = (list) => list.map((meter) => `${meter.name}\n${meter.display_name}`).join("\n");

function build(list, now) {
  byId("meters").replaceChildren();
  meters.clear();
  list.forEach(({ name, display_name, cents, steps }, tier) => {
    const panel = byId("meter").content.cloneNode(true).firstElementChild;
    panel.classList.add(`tier${Math.min(tier, 2)}`);
    panel.querySelector("h2").textContent = display_name;
    byId("meters").append(panel);
    const [amount, claims] = [panel.querySelector(".amount"), panel.querySelector(".claims")];
    const mark = `${board.epoch} ${steps}`;
    meters.set(name, { name, display_name, pace: begin(cents, now), mark, panel, amount, text: "", claims, listed: "" });
  });
  const below = list.length - 1;
  byId("meters").style.setProperty("--columns", Math.max(1, below > 3 ? Math.ceil(below / 2) : below));
  fitAll();
}

const label = (name) => meters.get(name)?.display_name ?? name;

// The wins of a meter that are being verified: each with the amount that was frozen for it.
function verify(meter, claims) {
  const listed = claims.slice(0, CLAIMS_MOST).map((claim) => money(claim.cents));
  if (claims.length > CLAIMS_MOST) listed.push(`and ${claims.length - CLAIMS_MOST} more`);
  if (listed.join("\n") === meter.listed) return;
  meter.listed = listed.join("\n");
  meter.panel.classList.toggle("verifying", listed.length > 0);
  const many = claims.length > 1;
  meter.panel.querySelector(".pending b").textContent = many ? `${claims.length} pending` : "Pending";
  meter.claims.replaceChildren(...listed.map((text, at) => claimed(text, many && at < CLAIMS_MOST ? `Hand ${at + 1}` : "")));
  fitPanel(meter);
}

// One of them, by its number where there are several: amounts below each other look like a sum.
function claimed(text, which) {
  const [line, said, amount] = ["p", "span", "span"].map((tag) => document.createElement(tag));
  [line.className, said.className, amount.className] = ["claim", "which", "amount"];
  said.textContent = which;
  figures(amount, text);
  line.append(...(which ? [said, amount] : [amount]));
  return line;
}

function freshness(now) {
  if (board === null || board.waiting) return "waiting";
  const ms = silent.ms + now - silent.at;
  const { still_ms, updating_ms, paused_ms } = board.stale;
  return ms < still_ms ? "live" : ms < updating_ms ? "still" : ms < paused_ms ? "updating" : "paused";
}

function show() {
  const now = performance.now();
  const state = freshness(now);
  const wins = board === null || board.waiting ? [] : board.won.filter((win) => win.left_ms > now - board.at);
  const look = wins.length ? `${state} winning` : state;
  if (document.body.className !== look) {
    document.body.className = look;
    fitAll();
  }
  byId("mark").textContent = { updating: "Updating", waiting: "Connecting" }[state] ?? "";
  celebrate(wins);
  remember(wins);
  offer(state, now);
  for (const meter of meters.values()) {
    meter.pace = state === "live" ? go(meter.pace, now) : hold(meter.pace, now);
    write(meter, meter.amount, money(shown(meter.pace, now)), () => fitPanel(meter));
  }
  speak(state, wins);
}

const hold = (pace, now) => (pace.over === Infinity ? pace : stop(pace, now));

const banner = { claims: "", text: "" };

function celebrate(wins) {
  const claims = wins.map((win) => win.claim).join("\n");
  if (claims === banner.claims) return;
  banner.claims = claims;
  byId("won").hidden = wins.length === 0;
  fitAll();
  if (wins.length === 0) return;
  const [first, ...others] = wins;
  byId("won").querySelector(".crown").textContent = `${label(first.meter)} won`;
  write(banner, byId("won-amount"), money(first.cents), fitBanner);
  byId("won-who").textContent = `${first.hand} · table ${first.table.toUpperCase()}`;
  byId("won-also").textContent = others
    .map((win) => `${label(win.meter)} won: ${money(win.cents)}, ${win.hand}, table ${win.table.toUpperCase()}`)
    .join("   ·   ");
  fitBanner();
}

// What was won this gaming day stays; what the banner says is not said twice.
function remember(wins) {
  const celebrated = new Set(wins.map((win) => win.claim));
  const today = board === null || board.waiting ? [] : board.today.filter((win) => !celebrated.has(win.claim));
  const said = today.slice(0, TODAY_MOST).map(({ meter, clock, cents }) => {
    const name = meters.size > 1 ? `${label(meter)} ` : "";
    return `${name}${twelve(clock)} ${money(cents)}`.replaceAll(" ", "\u00a0");
  });
  const text = said.length ? `Won today ${said.join(" · ")}` : "";
  if (byId("today").textContent === text) return;
  byId("today").textContent = text;
  fitAll();
}

// What a wager costs and what it pays, one part after another. Not beside a win, not while no bet is taken, and not where
// one of several meters needs its panel for a win that is pending.
const strip = { said: "" };

function offer(state, now) {
  const parts = board === null || board.waiting ? [] : board.pays.flatMap(partsOf);
  const part = parts[Math.floor(now / SHOWN_MS) % parts.length];
  const crammed = !byId("won").hidden || (meters.size > 1 && board?.pending?.length > 0);
  const said = part && state !== "paused" && !crammed ? JSON.stringify(part) : "";
  if (said === strip.said) return;
  strip.said = said;
  byId("pays").hidden = said === "";
  if (said !== "") {
    const [price, unit] = byId("pays").querySelector(".price").children;
    [price.textContent, unit.textContent] = part.head;
    byId("pays").querySelector("ol").replaceChildren(...part.cells.map(cell));
    const longest = Math.max(...part.cells.map(({ worth }) => worth.length));
    byId("pays").style.setProperty("--cells", part.cells.length);
    byId("pays").style.setProperty("--longest", longest);
  }
  fitAll();
}

function partsOf({ name, cents, rows, envy }) {
  const bet = board.pays.length > 1 ? `${name.replaceAll("_", " ")} bet` : "lights your seat";
  const prizes = { head: [whole(cents), bet], cells: rows.map(prize) };
  return envy.length ? [prizes, { head: ["Envy", "another’s hand wins you"], cells: envy.map(prize) }] : [prizes];
}

// Beside shares of several meters a sum keeps their line free: all amounts stand on one.
function prize({ hand, percent, meter, cents }) {
  const of = meters.size > 1 ? (percent ? label(meter) : "\u00a0") : "";
  return { hand, worth: percent ? `${percent}%` : whole(cents), of };
}

const whole = (cents) => money(cents).replace(/\.00$/, "");

function cell({ hand, worth, of }, at) {
  const [item, name, value, meter] = ["li", "span", "b", "i"].map((tag) => document.createElement(tag));
  [name.textContent, value.textContent, meter.textContent] = [hand, worth, of];
  item.style.setProperty("--at", at);
  item.append(name, value, meter);
  return item;
}

// 21:07 as it is read here: 9:07 PM.
function twelve(clock) {
  const [hour, minute] = clock.split(":");
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? "AM" : "PM"}`;
}

// For who cannot see it: what changed, once; never the running figures.
function speak(state, wins) {
  const told = wins.map((win) => `${label(win.meter)} won: ${money(win.cents)}, ${win.hand}.`);
  if (state === "paused" || state === "waiting") told.push("Progressive paused.");
  else if (board !== null && !board.waiting)
    told.push(...board.pending.map(({ meter, cents }) => `${label(meter)}: ${money(cents)} pending, being verified.`));
  const text = told.join(" ");
  if (byId("spoken").textContent !== text) byId("spoken").textContent = text;
}

// Write an amount, and when its length changed, make it as large as its place allows.
function write(kept, element, text, fitted) {
  if (kept.text === text) return;
  const longer = kept.text.length !== text.length;
  kept.text = text;
  figures(element, text);
  if (longer) fitted();
}

// Dollars and cents apart: on an upright sign the cents are smaller, so that the dollars may be large.
function figures(element, text) {
  const point = text.lastIndexOf(".");
  const whole = point < 0 ? text : text.slice(0, point);
  if (element.childElementCount === 0) element.append(document.createElement("span"), document.createElement("span"));
  const [dollars, cents] = element.children;
  cents.className = "cents";
  dollars.textContent = whole;
  cents.textContent = text.slice(whole.length);
}

// Width and height at 100 pixels.
function measure(element) {
  element.style.fontSize = "100px";
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

const size = ({ width, height }, room, tall) => Math.floor(Math.min((room / width) * 100, (tall / height) * 100));

function fit(element, room, tall) {
  const measured = measure(element);
  if (measured.width > 0 && room > 0) element.style.fontSize = `${size(measured, room, tall)}px`;
}

// Of its panel, by tier: a lower tier is smaller even where it has room.
const WIDE = [0.92, 0.84, 0.76];
const TALL = [0.68, 0.6, 0.52];

function fitPanel({ panel, amount, claims }) {
  const tier = [0, 1, 2].find((one) => panel.classList.contains(`tier${one}`));
  const [room, tall] = [panel.clientWidth * WIDE[tier], panel.clientHeight];
  panel.classList.toggle("upright", innerHeight > innerWidth && tall > 0.62 * panel.clientWidth);
  if (!panel.classList.contains("verifying")) {
    fit(amount, room, tall * (crowded() ? 0.56 : TALL[tier]));
    return;
  }
  fitClaims(claims, 0.96 * room, tall * (crowded() ? 0.36 : claims.childElementCount > 1 ? 0.54 : 0.46));
  fit(amount, 0.5 * room, tall * (crowded() ? 0.15 : 0.14));
}

// All of one size, in one column or two: whichever makes them larger.
function fitClaims(claims, room, tall) {
  const lines = [...claims.children];
  claims.classList.toggle("several", lines.length > 1);
  const measured = lines.map(measure);
  const widest = { width: Math.max(...measured.map((one) => one.width)), height: measured[0].height };
  if (widest.width === 0) return;
  const sizes = [1, 2].map((columns) => size(widest, room / columns, tall / Math.ceil(lines.length / columns)));
  const columns = lines.length > 1 && sizes[1] > sizes[0] ? 2 : 1;
  claims.style.setProperty("--columns", columns);
  for (const line of lines) line.style.fontSize = `${sizes[columns - 1]}px`;
}

const crowded = () => !byId("won").hidden;

function fitBanner() {
  const place = byId("won");
  const share = byId("won-also").textContent ? 0.46 : 0.6;
  fit(byId("won-amount"), 0.92 * place.clientWidth, share * place.clientHeight);
}

function fitAll() {
  for (const meter of meters.values()) fitPanel(meter);
  if (crowded()) fitBanner();
}

// A frame that was drawn is told: nobody sees a page that a browser, or a screen that is off, never draws.
function drawn() {
  requestAnimationFrame(() => {
    fetch("/drawn", { method: "POST", body: `${board?.version ?? 0}` }).catch(() => {}); // the server is away: the page says so itself
  });
}

new ResizeObserver(fitAll).observe(byId("sign"));
document.fonts.addEventListener("loadingdone", fitAll);
setInterval(show, FRAME_MS);
setInterval(drawn, DRAWN_MS);
drawn();
listen();
