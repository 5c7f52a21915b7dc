// Starts the page that shows the API's description. The address of the description stands in the page.

const root = document.getElementById("swagger-ui");

window.ui = window.SwaggerUIBundle({
  domNode: root,
  url: root.dataset.description,
  layout: "BaseLayout",
  presets: [window.SwaggerUIBundle.presets.apis],
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // No other site is asked about the description, and none gets a token.
  validatorUrl: null,
  oauth2RedirectUrl: null,
});
