// Light or dark: as the system says, or as the person prefers.

import { effect, signal } from "./parts.js";
import { recall, remember } from "./api.js";

export const THEMES = ["system", "light", "dark"];

export const theme = signal(recall("theme", "system"));

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = signal(dark.matches);
dark.addEventListener("change", () => (isDark.value = dark.matches));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  remember("theme", theme.value === "system" ? null : theme.value);
});

/** The theme in which pictures are asked for. */
export const shownTheme = () => (theme.value === "system" ? (isDark.value ? "dark" : "light") : theme.value);
