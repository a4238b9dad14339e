// What a person prefers in this browser: colors, sound, notifications.

import { html, useState } from "./parts.js";
import { allowNotifications, canNotify } from "./player.js";
import { isLoud, setLoud } from "./sound.js";
import { THEMES, theme } from "./theme.js";
import { say } from "./words.js";

export function Settings() {
  const [told, setTold] = useState("");
  const notify = () => allowNotifications().then(() => setTold(say("saved")), (error) => setTold(error.message));
  return html`<details class="menu" data-settings><summary aria-label=${say("settings")}>⚙</summary><div>
    <label>${say("theme")} <select data-theme-choice value=${theme.value} onChange=${(event) => (theme.value = event.target.value)}>
      ${THEMES.map((one) => html`<option key=${one} value=${one}>${say(`theme-${one}`)}</option>`)}</select></label>
    <label class="check"><input type="checkbox" data-sound checked=${isLoud.value} onChange=${(event) => setLoud(event.target.checked)} /> ${say("sound")}</label>
    ${canNotify() && html`<button type="button" data-notify-here onClick=${notify}>${say("notify")}</button>`}
    <p class="quiet" role="status">${told}</p></div></details>`;
}
