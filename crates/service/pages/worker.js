// Tells the player while no page is open, and opens the table of a notification that somebody clicks: in the window of the page that was
// used last, if there is one.

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
