// Opens the table of a notification that somebody clicks: in the window of the page that was used last, if there is one.

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  const isPage = ({ url }) => new URL(url).pathname === new URL(notification.data).pathname;
  const show = async () => {
    const page = (await clients.matchAll({ type: "window", includeUncontrolled: true })).find(isPage);
    if (!page) return clients.openWindow(notification.data);
    page.postMessage(notification.data);
    return page.focus();
  };
  event.waitUntil(show());
});
