// The overhead sign: shows what the bank published, as it arrives by server-sent events. It computes no money: between
// two true amounts it only paces (pacing.mjs).

import { begin, go, money, receive, shown, stop } from "/page/pacing.mjs";

const FRAME_MS = 40;
const AGAIN_MS = 2000;

const byId = (id) => document.getElementById(id);
const meters = new Map(); // name → { pace, panel, amount, text }
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
  byId("title").textContent = news.title.replaceAll("'", "’");
  byId("linked").textContent = news.tables === 1 ? "" : `${news.tables} tables linked`;
  if ([...meters.keys()].join("\n") !== news.meters.map((meter) => meter.name).join("\n")) build(news.meters, now);
  for (const { name, cents } of news.meters) {
    const meter = meters.get(name);
    meter.pace = receive(meter.pace, cents, now);
    verify(meter, news.pending.includes(name));
  }
  show();
}

function verify(meter, pending) {
  if (meter.panel.classList.toggle("verifying", pending) !== meter.pending) fit(meter.amount);
  meter.pending = pending;
}

function build(list, now) {
  byId("meters").replaceChildren();
  meters.clear();
  list.forEach(({ name, cents }, tier) => {
    const panel = byId("meter").content.cloneNode(true).firstElementChild;
    panel.classList.add(`tier${Math.min(tier, 2)}`);
    panel.querySelector("h2").textContent = label(name);
    byId("meters").append(panel);
    const amount = panel.querySelector(".amount");
    meters.set(name, { pace: begin(cents, now), panel, amount, text: "", pending: false });
  });
  const below = list.length - 1;
  byId("meters").style.setProperty("--columns", Math.max(1, below > 3 ? Math.ceil(below / 2) : below));
  fitAll();
}

const label = (name) => (name === "main" ? "Jackpot" : name.replaceAll("_", " "));

function freshness(now) {
  if (board === null || board.waiting) return "waiting";
  const ms = silent.ms + now - silent.at;
  const { still_ms, updating_ms, ask_ms } = board.stale;
  return ms < still_ms ? "live" : ms < updating_ms ? "still" : ms < ask_ms ? "updating" : "ask";
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
  byId("mark").textContent = { updating: "Updating", ask: "Amounts are not up to date", waiting: "Connecting" }[state] ?? "";
  celebrate(wins);
  for (const meter of meters.values()) {
    meter.pace = state === "live" ? go(meter.pace, now) : hold(meter.pace, now);
    write(meter, meter.amount, money(shown(meter.pace, now)));
  }
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
  write(banner, byId("won-amount"), money(first.cents));
  byId("won-who").textContent = `${first.hand} · table ${first.table.toUpperCase()}`;
  byId("won-also").textContent = others
    .map((win) => `${label(win.meter)} won: ${money(win.cents)}, ${win.hand}, table ${win.table.toUpperCase()}`)
    .join("   ·   ");
}

// Write an amount, and when its length changed, make it as large as its place allows.
function write(kept, element, text) {
  if (kept.text === text) return;
  const longer = kept.text.length !== text.length;
  kept.text = text;
  element.textContent = text;
  if (longer) fit(element);
}

function fit(element) {
  const place = element.parentElement;
  const room = place.clientWidth * share(place, [0.92, 0.84, 0.76], 0.92);
  const tall = place.clientHeight * share(place, [0.62, 0.54, 0.46], 0.44) * (crowded(place) ? 0.82 : 1);
  if (room === 0) return;
  element.style.fontSize = "100px";
  const range = document.createRange();
  range.selectNodeContents(element);
  const wide = range.getBoundingClientRect().width;
  element.style.fontSize = `${Math.floor(Math.min((room / wide) * 100, tall))}px`;
}

// Of its place, by tier: a lower tier is smaller even where it has room. The banner has no tier.
const share = (place, tiers, banner) => tiers.find((_, tier) => place.classList.contains(`tier${tier}`)) ?? banner;

const crowded = (place) => place.classList.contains("verifying") || (place.id !== "won" && !byId("won").hidden);

function fitAll() {
  for (const { amount } of meters.values()) fit(amount);
  if (!byId("won").hidden) fit(byId("won-amount"));
}

new ResizeObserver(fitAll).observe(byId("sign"));
setInterval(show, FRAME_MS);
listen();
