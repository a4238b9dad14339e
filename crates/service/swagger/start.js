// Shows the OpenAPI document of this server. A proxy may show the server below a path, which the document does not know.
const root = new URL("../", location.href).pathname;
const requestInterceptor = (request) => {
  const url = new URL(request.url, location.href);
  if (!url.pathname.startsWith(root)) url.pathname = root + url.pathname.slice(1);
  request.url = url.href;
  return request;
};
SwaggerUIBundle({ url: "../openapi.json", dom_id: "#swagger-ui", deepLinking: true, requestInterceptor });
