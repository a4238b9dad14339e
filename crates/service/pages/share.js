// Links for other people: copied, handed to another program, or as a code for a camera. What is secret in a link stands behind `#`,
// which browsers do not send.

import { html, useEffect, useRef, useState } from "./parts.js";
import { bytes, root } from "./api.js";
import { say } from "./words.js";

/** Copies an address. */
export function CopyLink({ words, path, isShown }) {
  const link = new URL(path, root).href;
  return html`<${CopyText} words=${words} read=${() => link} link=${link} isShown=${isShown} />`;
}

/** Copies what is read then, or shows it where a browser copies nothing. */
export function CopyText({ words, read, link, isShown }) {
  const [shown, setShown] = useState(null);
  const copy = async () => {
    let what = "";
    try {
      what = await read();
      await navigator.clipboard.writeText(what);
      setShown("");
    } catch (error) {
      setShown(what || error.message);
    }
  };
  return html`<p class="copy"><button type="button" data-copies=${words} onClick=${copy}>${say(words)}</button>
    <span role="status">${shown === "" ? say("copied") : ""}</span>
    ${(shown || isShown) && html`<label>${say("copies")} <input readonly value=${shown || link} onFocus=${(event) => event.target.select()} /></label>`}</p>`;
}

/** A link as a code for a camera. It is drawn here and sent nowhere. */
export function Code({ path }) {
  const [code, setCode] = useState(null);
  useEffect(() => {
    import("./vendor/qr.js").then(({ generate }) => setCode(generate(new URL(path, root).href)));
  }, [path]);
  if (!code) return null;
  const { size } = code;
  const cells = Array.from({ length: size * size }, (_, at) => [at % size, Math.floor(at / size)]);
  const drawn = cells.filter(([x, y]) => code.get(x, y)).map(([x, y]) => `M${x} ${y}h1v1h-1z`);
  return html`<svg viewBox=${`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label=${say("code")}><path d=${drawn.join("")} /></svg>`;
}

/** Gives a file to the browser, which keeps it. */
function saveAs(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
}

/** Saves the game so far as an animation of what this seat may see. */
export function SaveFilm({ game }) {
  const [told, setTold] = useState("");
  const save = async () => {
    setTold(say("loading"));
    saveAs(await bytes(`/v1/sessions/${game.id}/board.gif`, game.token), `${game.id}.gif`);
    setTold(say("saved"));
  };
  return html`<p class="copy"><button type="button" data-film onClick=${() => save().catch((error) => setTold(error.message))}>${say("film")}</button>
    <span role="status">${told}</span></p>`;
}

/** Copies a picture of what everybody may see, or saves it where a browser copies no pictures. */
function CopyPicture({ session, at }) {
  const [told, setTold] = useState("");
  const read = () => bytes(`/v1/sessions/${session}/board.png?size=1200${at ? `&at=${at}` : ""}`);
  const copy = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": read() })]);
      setTold(say("copied"));
    } catch {
      saveAs(await read(), `${session}.png`);
      setTold(say("saved"));
    }
  };
  return html`<p class="copy"><button type="button" data-picture onClick=${() => copy().catch((error) => setTold(error.message))}>${say("copyPicture")}</button>
    <span role="status">${told}</span></p>`;
}

/** A button that opens a link to hand on: to a table, or to one of its positions. */
export function Share({ path, title, version, picture }) {
  const [isShown, setShown] = useState(false);
  const [isHere, setHere] = useState(false);
  // What stands before `#` is for programs that show what a link leads to.
  const shared = isHere && version ? `${path.replace("#", `&at=${version}#`)}/at/${version}` : path;
  const box = useRef(null);
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [isShown]);
  const hand = () => navigator.share({ title, url: new URL(shared, root).href }).catch(() => {});
  return html`<div class="share"><button type="button" data-share aria-expanded=${isShown} onClick=${() => setShown(!isShown)}>${say("share")}</button>
    ${isShown && html`<div class="device" ref=${box}><div class="code"><${Code} path=${shared} key=${shared} /></div>
      ${version && html`<label class="check"><input type="checkbox" data-here checked=${isHere} onChange=${(event) => setHere(event.target.checked)} /> ${say("thisPosition", version)}</label>`}
      <${CopyLink} words="copyLink" path=${shared} isShown=${true} />
      ${picture && html`<${CopyPicture} session=${picture} at=${isHere ? version : null} />`}
      ${navigator.share && html`<button type="button" onClick=${hand}>${say("shareWith")}</button>`}</div>`}</div>`;
}
