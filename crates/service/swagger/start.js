// Shows the OpenAPI document of this server.
SwaggerUIBundle({ url: "../openapi.json", dom_id: "#swagger-ui", deepLinking: true });
