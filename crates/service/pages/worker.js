// Opens the table of a notification that somebody clicks, in the window that shows it if there is one.

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  const show = async () => {
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const shown = windows.find(({ url }) => url === notification.data);
    return shown ? shown.focus() : clients.openWindow(notification.data);
  };
  event.waitUntil(show());
});
