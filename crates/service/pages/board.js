// The board: the picture that the server draws, made clickable.
//
// The picture names the choices that each of its parts stands for (`data-choices`), so nothing here knows any game.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./parts.js";
import { credential, language, recall, remember, text } from "./api.js";
import { useAbout } from "./about.js";
import { dragging } from "./drag.js";
import { lastOf } from "./last.js";
import { shownTheme } from "./theme.js";
import { canSort, canTurn, isFar, sort, turn } from "./turned.js";
import { isNarrow } from "./reveal.js";
import { say } from "./words.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
/** What a picture of ours consists of. Nothing else enters the page. */
const ELEMENTS = new Set(["svg", "g", "rect", "circle", "polygon", "polyline", "path", "text", "title", "line", "ellipse"]);
/**
 * Styles are removed before parsing, because browsers report even those that they ignore. page.css has ours. The colors of both
 * themes, which are the style of a part of a picture, become data.
 */
export const withoutStyles = (source) => source.replace(/<style[^>]*>[^]*?<\/style>/gi, "").replaceAll(' style="', ' data-colors="');
const COLORS = /^(?:(?:fill|stroke):light-dark\(#[\da-f]{6},#[\da-f]{6}\);?)+$/;
const FORBIDDEN = /^(on|style$|href$|xlink:)/i;

/** Parses a picture and returns it as elements of this page, without styles, scripts and links. */
export function picture(source) {
  const parsed = new DOMParser().parseFromString(withoutStyles(source), "image/svg+xml");
  const copy = (from) => {
    if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.data);
    if (from.nodeType !== Node.ELEMENT_NODE || !ELEMENTS.has(from.localName)) return null;
    const to = document.createElementNS(NAMESPACE, from.localName);
    for (const { name, value } of from.attributes) {
      if (name === "data-colors") to.style.cssText = COLORS.test(value) ? value : "";
      else if (name !== "xmlns" && !FORBIDDEN.test(name)) to.setAttribute(name, value);
    }
    for (const child of from.childNodes) {
      const made = copy(child);
      if (made) to.append(made);
    }
    // Lines of one text are several elements, which programs that read aloud would join to one word.
    if (to.localName === "text") to.append(" ");
    return to;
  };
  const root = copy(parsed.documentElement);
  return root && root.localName === "svg" ? root : null;
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Pictures that are higher than this, compared with their width, are cut. */
const SLICE = 0.57;

/** Whether an element has been in sight. */
function useSeen(box) {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}

/** A picture that is only looked at, loaded when it comes into sight; if `is_cut`, only its upper part. */
export function Picture({ path, label, size = 480, is_cut = false }) {
  const box = useRef(null);
  const theme = shownTheme();
  const isSeen = useSeen(box);
  useEffect(() => {
    if (!isSeen) return undefined;
    let is_current = true;
    text(`${path}?size=${size}&theme=${theme}`, { accept: "image/svg+xml" })
      .then((source) => {
        const drawn = is_current && picture(source);
        if (!drawn || !box.current) return;
        anonymous(drawn);
        drawn.setAttribute("aria-label", label);
        box.current.replaceChildren(drawn);
        crop(drawn);
        const { width, height } = drawn.viewBox.baseVal;
        if (is_cut && height > width * SLICE) drawn.setAttribute("preserveAspectRatio", "xMidYMin slice");
        drawn.removeAttribute("width");
        drawn.removeAttribute("height");
      })
      .catch(() => {});
    return () => {
      is_current = false;
    };
  }, [path, theme, language.value, isSeen]);
  return html`<div class="picture" ref=${box}></div>`;
}

/** Several pictures share a page: ids would collide. */
function anonymous(drawn) {
  for (const part of drawn.querySelectorAll("[id]")) part.removeAttribute("id");
  for (const title of drawn.querySelectorAll("title")) title.remove();
}

const ZOOMS = [1, 1.5, 2.25, 3.4];
const NOTHING = [];
const NONE = () => null;

/**
 * The board of a session. `steps` are the choices of the viewer and what was picked of them so far; `at` is a version to
 * look back to. What the `later` events of that version moved is still where it was.
 */
export function Board({ session, seat, version, at, later = NOTHING, steps, onPick, onPlay, onColors, aboutOf = NONE, orderOf, isOwn = NONE, name = "", hinted, planned = NOTHING, onPlan, isBusy, children }) {
  const box = useRef(null);
  const hand = useRef(null);
  const held = useRef(null);
  const aimed = useRef(null);
  const previous = useRef(null);
  const wasTurned = useRef(false);
  const theme = shownTheme();
  const [width, setWidth] = useState(0);
  const [zoom, setZoom] = useState(recall("zoom", 0));
  const [drawn, setDrawn] = useState(null);
  const [isTurned, setTurned] = useState(null); // as the seat sits, until it is turned at this table
  const [isSorted, setSorted] = useState(recall(`sorted.${name}`, false));
  const [can, setCan] = useState({});
  const [isFarther, setFarther] = useState(null);
  const whole = useRef(null);
  const before = useRef(null); // the zoom before a tap brought something closer
  const about = useAbout(whole, aboutOf);

  useLayoutEffect(() => {
    const measure = () => {
      const room = box.current ? Math.round(box.current.clientWidth / 10) * 10 : 0;
      setWidth(Math.max(320, Math.min(1600, room)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!width || !version) return undefined;
    let is_current = true;
    const query = new URLSearchParams({ size: String(width), theme });
    if (at) query.set("at", String(at));
    const path = `/v1/sessions/${session}/board.svg?${query}`;
    text(path, { token: credential(session, seat), accept: "image/svg+xml" })
      .then((source) => {
        const drawn = is_current && picture(source);
        if (!drawn) return;
        drawn.dataset.version = String(at || version);
        setDrawn(drawn);
      })
      .catch(() => {
        const last = is_current && lastOf(session)?.picture;
        setDrawn((old) => old ?? (last ? picture(last) : null));
      });
    return () => {
      is_current = false;
    };
  }, [session, seat, version, at, width, theme, language.value, isTurned, isSorted]);

  useLayoutEffect(() => {
    if (!drawn || !box.current) return;
    const focused = document.activeElement;
    const root = [box.current, hand.current].find((root) => root?.contains(focused));
    if (root && focused.dataset.part) held.current = { root, part: focused.dataset.part };
    const before = places(box.current);
    previous.current = box.current.querySelector("svg");
    drawn.setAttribute("role", "group");
    drawn.setAttribute("aria-label", say("board"));
    box.current.replaceChildren(drawn);
    for (const part of drawn.querySelectorAll(CLICKABLE)) part.dataset.part = part.id;
    for (const piece of drawn.querySelectorAll("g.piece[id]")) piece.dataset.of = piece.id;
    crop(drawn);
    setCan({ turn: canTurn(drawn), sort: Boolean(orderOf) && (isSorted || canSort(drawn, seat, orderOf)) });
    // Who sits on the other side sees the board from there.
    const isThere = isFarther ?? isFar(drawn, isOwn);
    setFarther(isThere);
    const isAround = Boolean(isTurned ?? isThere);
    const isSame = wasTurned.current === isAround;
    wasTurned.current = isAround;
    if (isAround) turn(drawn);
    if (isSorted && orderOf) sort(drawn, seat, orderOf);
    fit(drawn, box.current.clientWidth, zoom);
    putBack(drawn, later, previous.current);
    if (!still.matches && isSame) glide(box.current, before);
    onColors(colorsOf(drawn));
    return showOwn(hand.current, drawn, seat);
  }, [drawn, seat]);

  // A part of what one change brings is shown after the other.
  useLayoutEffect(() => {
    if (!drawn || drawn.dataset.version !== String(version)) return;
    const before = places(box.current);
    putBack(drawn, later, previous.current);
    if (!still.matches) glide(box.current, before);
  }, [later]);

  useLayoutEffect(() => {
    if (!drawn || !box.current) return;
    fit(drawn, box.current.clientWidth, zoom);
    const part = aimed.current && drawn.querySelector(`[data-part="${CSS.escape(aimed.current)}"]`);
    part?.scrollIntoView({ block: "center", inline: "center" });
  }, [drawn, zoom, width]);

  useLayoutEffect(() => {
    if (!drawn) return;
    for (const root of [drawn, hand.current]) {
      for (const part of root.querySelectorAll(CLICKABLE)) dress(part, at ? null : steps, drawn);
      flatten(root);
      for (const part of root.querySelectorAll("[data-choices]")) part.classList.toggle("hinted", Boolean(hinted) && idsOf(part).includes(hinted));
    }
    // A new picture takes the focus away; whoever plays with the keys goes on where they were.
    const part = held.current?.root.querySelector(`.live[data-part="${CSS.escape(held.current.part)}"]`);
    if (part && document.activeElement === document.body) part.focus({ preventScroll: true });
    if (part || document.activeElement !== document.body) held.current = null;
  }, [drawn, steps, at, hinted]);

  useLayoutEffect(() => {
    for (const root of drawn ? [drawn, hand.current] : []) {
      for (const part of root.querySelectorAll(THINGS)) part.classList.toggle("planned", planned.includes(idOf(part)));
    }
  }, [drawn, planned]);

  const partOf = (event) => event.target.closest?.(".live");
  const act = (part) => {
    if (!part) return;
    const only = part.getAttribute("data-choice");
    if (only) {
      part.classList.add("sent");
      carry(drawn, part);
      onPlay(only);
    }
    else onPick(steps.pickOf(pickOf(part)));
  };
  const pressed = (event) => {
    const part = partOf(event);
    if (!part) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act(part);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      neighbor(box.current, part, event.key)?.focus();
    }
  };
  // What was sent is confirmed by a new picture, or it was refused.
  useLayoutEffect(() => {
    if (isBusy || !drawn?.querySelector(".sent")) return;
    for (const part of drawn.querySelectorAll(".sent")) part.classList.remove("sent");
    putBack(drawn, later, previous.current);
  }, [isBusy]);
  const latest = useRef(null);
  latest.current = { act, steps, onPick };
  const drag = useRef(null);
  drag.current ||= dragging({
    pick: (part) => latest.current.onPick(latest.current.steps.pickOf(pickOf(part))),
    // Dropped elsewhere, the piece is put back.
    drop: (below, part) => (below ? latest.current.act(below) : latest.current.onPick(latest.current.steps.pickOf(pickOf(part)))),
  });
  const clicked = (event) => {
    const part = partOf(event);
    if (drag.current.wasDragged()) return;
    if (!part && onPlan && !at) return onPlan(thingsAt(event.target));
    aimed.current = null;
    const next = part && event.pointerType === "touch" && box.current.contains(part) ? enough(part, zoom) : zoom;
    if (next === zoom) return part ? act(part) : goBack();
    // Too small for a finger: the first tap brings it closer, the next one chooses.
    aimed.current = part.dataset.part;
    before.current ??= zoom;
    setZoom(next);
  };
  // What a tap has brought closer goes back when the choice is made, or beside it.
  const goBack = () => {
    if (before.current === null) return;
    aimed.current = null;
    setZoom(before.current);
    before.current = null;
  };
  useEffect(goBack, [version]);
  useEffect(() => {
    const { move, up } = drag.current;
    const listened = [["pointermove", move], ["pointerup", up], ["pointercancel", up]];
    for (const [name, listener] of listened) addEventListener(name, listener);
    return () => listened.forEach(([name, listener]) => removeEventListener(name, listener));
  }, []);
  const turnAround = () => {
    setTurned(!(isTurned ?? isFarther));
  };
  const arrange = () => {
    setSorted(!isSorted);
    remember(`sorted.${name}`, !isSorted || null);
  };
  const change = (by) => {
    const next = Math.max(0, Math.min(ZOOMS.length - 1, zoom + by));
    before.current = null;
    setZoom(next);
    remember("zoom", next);
  };
  return html`<section class="board" aria-label=${say("board")} ref=${whole}>
    <div class="zoom">
      ${can.sort && html`<button type="button" class="wide" data-sort aria-pressed=${String(isSorted)} onClick=${arrange}>${say("sortHand")}</button>`}
      ${can.turn && html`<button type="button" class="wide" data-turn aria-pressed=${String(isTurned ?? isFarther ?? false)} onClick=${turnAround}>${say("turnBoard")}</button>`}
      <button type="button" onClick=${() => change(-1)} disabled=${zoom === 0} aria-label=${say("zoomOut")}>−</button>
      <button type="button" onClick=${() => change(1)} disabled=${zoom === ZOOMS.length - 1} aria-label=${say("zoomIn")}>+</button>
    </div>
    <div class=${`frame zoom-${zoom}`} tabindex=${zoom > 0 ? 0 : undefined} role=${zoom > 0 ? "group" : undefined} aria-label=${zoom > 0 ? say("board") : undefined}>
      <div class="drawing" ref=${box} onClick=${clicked} onPointerDown=${drag.current.down} onKeyDown=${pressed}></div>
    </div>
    <div class="hand" ref=${hand} aria-hidden="true" hidden onClick=${clicked}
      onPointerDown=${drag.current.down} onKeyDown=${pressed}></div>
    ${about}
    ${children}
  </section>`;
}

/** Removes the head of a picture: its title and question are those of the page. */
function crop(drawn) {
  const parts = [...drawn.children].filter((child) => child.localName === "g");
  const tops = parts.map((part) => part.getBBox()).filter(({ width, height }) => width + height > 0).map(({ y }) => y);
  const { x, y, width, height } = drawn.viewBox.baseVal;
  const top = Math.max(y, Math.min(...tops) - 10);
  if (tops.length === 0 || top - y > height / 2) return;
  for (const child of [...drawn.children]) if (child.localName === "text" && Number(child.getAttribute("y")) < top) child.remove();
  drawn.setAttribute("viewBox", `${x} ${top} ${width} ${height - (top - y)}`);
}

/** How much a picture may shrink so that a window shows it whole. */
const SHRINK = 0.72;

function fit(drawn, room, zoom) {
  const { width, height } = drawn.viewBox.baseVal;
  const natural = (room * height) / width;
  const free = innerHeight - drawn.getBoundingClientRect().top - scrollY - 48;
  const is_wide = innerWidth > 820;
  const shown = zoom > 0 || !is_wide ? natural : Math.min(natural, Math.max(free, natural * SHRINK));
  drawn.setAttribute("width", "100%");
  drawn.setAttribute("height", String(Math.round(shown)));
  drawn.setAttribute("preserveAspectRatio", "xMidYMin meet");
}

/** The least width and height of what a finger chooses, in pixels (WCAG 2.5.8). */
const TARGET = 24;

/** Returns the zoom in which a part is large enough for a finger. */
function enough(part, zoom) {
  const { width, height } = areaOf(part).getBoundingClientRect();
  const wanted = (ZOOMS[zoom] * TARGET) / Math.min(width, height);
  const found = ZOOMS.findIndex((one) => one >= wanted);
  return Math.max(zoom, found < 0 ? ZOOMS.length - 1 : found);
}

/** Where a part answers to a pointer. */
const areaOf = (part) => part.querySelector(":scope > .hit") ?? part;

/** How much of the lower end of the window the choices in words cover. */
const sheet = () => {
  const cover = document.querySelector(".right > .choices");
  return cover && getComputedStyle(cover).position === "sticky" ? cover.offsetHeight : 0;
};

/** Shows the part of one's own below the board while it is out of sight. Returns what ends this. */
function showOwn(hand, drawn, seat) {
  hand.hidden = true;
  hand.replaceChildren();
  const own = seat && drawn.querySelector(`[id="player:${seat}"]`);
  const zones = own ? [...own.querySelectorAll("g.zone")].filter((zone) => zone.querySelector("g.piece")) : [];
  if (zones.length === 0) return undefined;
  const copy = drawn.cloneNode(false);
  const { box, scale } = isNarrow() ? inRows(zones, copy) : asDrawn(zones, copy);
  for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
  copy.setAttribute("viewBox", `${box.x - 4} ${box.y - 4} ${box.width + 8} ${box.height + 8}`);
  copy.setAttribute("width", String(Math.round(box.width * scale)));
  const most = Math.round(box.height * scale);
  copy.setAttribute("height", String(most));
  hand.append(copy);
  // What is scrolled to must not end behind the hand, which may appear only then.
  const { style } = document.documentElement;
  if (most > innerHeight / 3) return void hand.replaceChildren();
  style.setProperty("--own", `${most + 16}px`);
  const observer = new IntersectionObserver(([seen]) => {
    hand.hidden = seen.intersectionRatio > 0.6;
  }, { threshold: [0, 0.3, 0.6, 0.9], rootMargin: `0px 0px -${sheet()}px` });
  observer.observe(own);
  return () => {
    style.removeProperty("--own");
    observer.disconnect();
  };
}

function asDrawn(zones, copy) {
  copy.append(...zones.map((zone) => zone.cloneNode(true)));
  // Pieces that are still on their way lie outside of the frames.
  const frames = zones.map((zone) => zone.querySelector(":scope > rect") ?? zone);
  return { box: around(frames.map((frame) => frame.getBBox())), scale: HAND };
}

/** The height of a row of one's own on a phone, and the least that is left free of each thing there, in pixels. */
const ROW = 84;

/** Lays what is one's own side by side, each thing over a part of the one before it, as cards are held. */
function inRows(zones, copy) {
  const pieces = zones.flatMap((zone) => [...zone.querySelectorAll(":scope > .piece")]).map((piece) => ({ piece, at: piece.getBBox() }));
  if (pieces.length === 0) return asDrawn(zones, copy);
  const [wide, high] = [Math.max(...pieces.map(({ at }) => at.width)), Math.max(...pieces.map(({ at }) => at.height))];
  const scale = Math.min(1, ROW / high);
  const room = (document.documentElement.clientWidth - 28) / scale;
  const inRow = Math.max(1, Math.floor(((room - wide) * scale) / TARGET) + 1);
  const rows = Math.ceil(pieces.length / inRow);
  const columns = Math.ceil(pieces.length / rows);
  const step = Math.min(wide + 4, columns > 1 ? (room - wide) / (columns - 1) : 0);
  pieces.forEach(({ piece, at }, number) => {
    const [x, y] = [(number % columns) * step, Math.floor(number / columns) * (high + 4)];
    const held = document.createElementNS(NAMESPACE, "g");
    held.setAttribute("transform", `translate(${x - at.x} ${y - at.y})`);
    const own = piece.cloneNode(true);
    own.removeAttribute("transform");
    held.append(own);
    copy.append(held);
  });
  return { box: { x: 0, y: 0, width: (columns - 1) * step + wide, height: rows * (high + 4) - 4 }, scale };
}

function around(boxes) {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The size of one's own part below the board. */
const HAND = 0.8;
const CLICKABLE = "[data-choices], g.choice";
const THINGS = ".piece[data-of], .space[id]";

const idOf = (part) => part.dataset.of ?? part.id;

/** The ids of what lies at a place, the uppermost first. */
function thingsAt(element) {
  const thing = element.closest?.(THINGS);
  return thing ? [idOf(thing), ...thingsAt(thing.parentNode)] : [];
}

/** The colors of the seats, as the picture has them. */
function colorsOf(drawn) {
  const colors = {};
  for (const player of drawn.querySelectorAll('[id^="player:"]')) {
    const fill = player.querySelector("circle")?.getAttribute("fill");
    if (fill) colors[player.id.slice("player:".length)] = fill;
  }
  return colors;
}

const idsOf = (part) =>
  part.hasAttribute("data-choices") ? part.getAttribute("data-choices").split(" ") : [part.dataset.part];

/** Parts that stand for the same choices are the same pick. */
export const keyOf = (part) => `${part.dataset.part} ${idsOf(part)[0]} ${idsOf(part).length}`;

const pickOf = (part) => ({ ids: idsOf(part), key: keyOf(part), label: part.dataset.name ?? nameOf(part), part: part.dataset.part });

const nameOf = (part) => {
  const title = [...part.children].find((child) => child.localName === "title");
  const words = title?.textContent || [...part.querySelectorAll("text")].map((one) => one.textContent.trim()).join(" ");
  return words || part.dataset.part;
};

/** The words of a text between single spaces, without what is in parentheses. */
const wordsOf = (of) => ` ${of.toLowerCase().replace(/\([^)]*\)/g, " ").replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

/** Makes a part clickable if a choice that is still possible refers to it. */
function dress(part, steps, drawn) {
  const ids = steps ? idsOf(part).filter((id) => steps.remaining.has(id)) : [];
  const pick = steps?.pickOf(pickOf(part));
  const is_picked = Boolean(pick && steps.picked.has(pick.key));
  const is_live = Boolean(pick) && (is_picked ? steps.isSet : steps.isOpen(pick));
  part.classList.toggle("live", is_live);
  part.classList.toggle("picked", is_picked);
  part.removeAttribute("data-choice");
  for (const name of ["role", "tabindex", "aria-label", "aria-pressed"]) part.removeAttribute(name);
  if (!is_live) return;
  const only = steps.finalOf(part, ids, drawn);
  if (only) part.setAttribute("data-choice", only.id);
  part.setAttribute("role", "button");
  // What is one's own is heard and reached with the keys where it lies.
  part.setAttribute("tabindex", part.closest(".hand") ? "-1" : "0");
  // A place is told with what lies on it.
  const on = part.matches(".space") ? [...part.querySelectorAll(":scope > .piece > title")].map((title) => title.textContent) : [];
  const name = [nameOf(part), ...on].join(", ");
  const label = only && only.label !== name ? `${name}: ${only.label}` : name || only?.label || say("choices");
  // People who speak to their computer say what they see: the name contains it.
  const seen = [...new Set([...part.querySelectorAll("text")].map((one) => one.textContent.trim()))];
  const more = seen.filter((one) => !wordsOf(label).includes(wordsOf(one))).join(" ");
  const said = more ? `${label} – ${more}` : label;
  if (said !== nameOf(part)) part.setAttribute("aria-label", said);
  if (steps.isSet) part.setAttribute("aria-pressed", String(is_picked));
}

/** A control must not contain another one: of a part and what lies on it, keys and screen readers reach the latter. */
function flatten(drawn) {
  for (const part of drawn.querySelectorAll(".live")) {
    if (!part.querySelector(".live")) continue;
    for (const name of ["role", "tabindex", "aria-label", "aria-pressed"]) part.removeAttribute(name);
  }
}

/** Returns the live part that lies next in the direction of an arrow key. */
function neighbor(box, from, key) {
  const center = (part) => {
    const { left, top, width, height } = areaOf(part).getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = center(from);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] || [0, 0];
  let best = null;
  let least = Infinity;
  for (const part of box.querySelectorAll(".live")) {
    const [px, py] = center(part);
    const along = (px - x) * dx + (py - y) * dy;
    const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    const cost = along + 2 * across;
    if (part !== from && along > 1 && cost < least) {
      best = part;
      least = cost;
    }
  }
  return best;
}

// ---- motion

/**
 * Puts back where it was what events have moved or set, as far as this picture or the one before shows it. Without events,
 * everything is where it is.
 */
function putBack(drawn, events, before) {
  for (const copy of drawn.querySelectorAll(".was")) copy.remove();
  for (const piece of drawn.querySelectorAll(".piece.absent")) piece.classList.remove("absent");
  for (const piece of drawn.querySelectorAll("g.piece.back")) {
    piece.classList.remove("back");
    piece.style.removeProperty("translate");
  }
  drawn.classList.toggle("partly", events.length > 0);
  const from = new Map();
  for (const event of events) if (event.type === "moved" && event.component && !from.has(event.component)) from.set(event.component, event.from);
  const scale = scaleOf(drawn);
  for (const [id, zone] of from) {
    const piece = partNamed(drawn, id);
    const place = partNamed(drawn, zone);
    if (!piece?.matches("g.piece") || place?.contains(piece)) continue;
    piece.classList.add("back");
    if (!place) {
      piece.classList.add("absent");
      continue;
    }
    const [to, was] = [drawnAt(piece), drawnAt(place)];
    const x = was.left + was.width / 2 - to.left - to.width / 2;
    const y = was.top + was.height / 2 - to.top - to.height / 2;
    piece.style.translate = `${x * scale}px ${y * scale}px`;
    raise(piece);
  }
  for (const { type, of } of events) {
    const space = type === "set" && typeof of === "string" && partNamed(drawn, of);
    if (!space || !space.matches(".space") || space.querySelector(".was")) continue;
    const marks = (of) => [...(of?.querySelectorAll(":scope > .piece:not([id])") ?? [])];
    for (const mark of marks(space)) mark.classList.add("absent");
    for (const mark of marks(before && partNamed(before, of))) {
      const copy = mark.cloneNode(true);
      copy.classList.remove("absent");
      copy.classList.add("was");
      space.append(copy);
    }
  }
}

/** Lays the piece that was picked where it goes, before the server has said so. */
function carry(drawn, part) {
  const picked = drawn.querySelectorAll(".picked");
  if (picked.length !== 1 || !picked[0].matches("g.piece") || !part.matches(".space")) return;
  const [piece] = picked;
  const [from, to] = [drawnAt(piece), drawnAt(part)];
  const scale = scaleOf(drawn);
  piece.classList.add("back");
  piece.style.translate = `${(to.left + to.width / 2 - from.left - from.width / 2) * scale}px ${(to.top + to.height / 2 - from.top - from.height / 2) * scale}px`;
  raise(piece);
}

/** Draws the place of a piece last, so that nothing lies over the piece on its way. */
function raise(piece) {
  const space = piece.closest(".space");
  space?.parentNode.append(space);
}

const partNamed = (drawn, id) => drawn.querySelector(`[id="${CSS.escape(id)}"]`);

/** How many units of a picture a pixel of the window is. */
export const scaleOf = (drawn) => 1 / drawn.getScreenCTM().a;

/** Where a piece is drawn: its ground, without the place in which it answers. */
const drawnAt = (piece) => (piece.querySelector(":scope > :not(title, .hit)") ?? piece).getBoundingClientRect();

function places(box) {
  const found = new Map();
  for (const piece of box.querySelectorAll("g.piece[id]")) found.set(piece.id, drawnAt(piece));
  return found;
}

/** Pieces glide from where they were to where they are. */
function glide(box, before) {
  const drawing = box.querySelector("svg");
  if (!drawing?.viewBox.baseVal.width) return;
  const scale = scaleOf(drawing);
  for (const part of box.querySelectorAll("g.piece[id]")) {
    const from = before.get(part.id);
    if (!from) continue;
    const to = drawnAt(part);
    const [x, y] = [(from.left - to.left) * scale, (from.top - to.top) * scale];
    if (Math.abs(x) + Math.abs(y) < 3) continue;
    raise(part);
    const way = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "translate(0px, 0px)" }];
    part.animate(way, { duration: 220, easing: "ease-out", composite: "add" });
  }
}
