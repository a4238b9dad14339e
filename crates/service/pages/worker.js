// Tells the player while no page is open, and opens the table of a notification that somebody clicks: in the window of the page that was
// used last, if there is one. Without a connection, it serves the page as it was last.

const WORDS = {
  en: { "decision.owed": "Your decision", "session.finished": "The game is over" },
  es: { "decision.owed": "Tú decides", "session.finished": "La partida ha terminado" },
};

const root = new URL("../", location.href);

const windows = async () => {
  const isPage = ({ url }) => new URL(url).pathname === root.pathname;
  return (await clients.matchAll({ type: "window", includeUncontrolled: true })).filter(isPage);
};

addEventListener("push", (event) => {
  const { type, session, title } = event.data.json();
  const show = async () => {
    // A page in sight shows what happens itself.
    if ((await windows()).some(({ visibilityState }) => visibilityState === "visible")) return;
    const body = (WORDS[navigator.language.split("-")[0]] ?? WORDS.en)[type];
    await registration.showNotification(title, { body, tag: session, data: new URL(`#/t/${session}`, root).href });
  };
  event.waitUntil(show());
});

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  const show = async () => {
    const [page] = await windows();
    if (!page) return clients.openWindow(notification.data);
    page.postMessage(notification.data);
    return page.focus();
  };
  event.waitUntil(show());
});

/** The files of the page. What is played comes from the server only. */
const FILES = "wyrmgate.page";

/** With these, the page appears; everything else is kept when it is loaded. */
const SHELL = ["page.js", "page.css", "icon.svg", "manifest.webmanifest"];

addEventListener("install", (event) => {
  const page = new Request(root, { headers: { Accept: "text/html" } });
  event.waitUntil(caches.open(FILES).then((files) => files.addAll([page, ...SHELL])).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function fresh(request) {
  const files = await caches.open(FILES);
  try {
    const found = await fetch(request);
    if (found.ok) await files.put(request, found.clone());
    return found;
  } catch (error) {
    const known = await files.match(request, { ignoreVary: true });
    if (known) return known;
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  const isPage = event.request.mode === "navigate" && pathname === root.pathname;
  const isFile = pathname.startsWith(`${root.pathname}pages/`) && !pathname.endsWith("/worker.js");
  if (event.request.method === "GET" && (isPage || isFile)) event.respondWith(fresh(event.request));
});
