// What authors' scripts do once a page is there: add elements, move some, change attributes.
const element = (name, properties) => Object.assign(document.createElement(name), properties);
const dress = () => {
  const content = document.getElementById("content");
  if (!content || content.querySelector(".reading-time")) return;
  const words = content.textContent.trim().split(/\s+/).length;
  content.append(element("p", { className: "reading-time", textContent: `${Math.ceil(words / 200)} min read` }));
  for (const table of content.querySelectorAll("table")) {
    const figure = element("figure", { className: "with-caption" });
    table.replaceWith(figure);
    figure.append(table, element("figcaption", { textContent: "A table that a script moved" }));
  }
  for (const link of content.querySelectorAll('a[href^="https:"]')) link.target = "_blank";
};
addEventListener("load", () => requestAnimationFrame(() => {
  dress();
  document.addEventListener("lectern:page", dress);
  document.body.append(element("button", { id: "help-widget", type: "button", textContent: "Help" }));
  document.querySelector("#navbar .brand")?.after(element("span", { className: "release", textContent: "v3" }));
  document.getElementById("content-area").append(element("div", { className: "colophon", textContent: "Made with care" }));
  document.documentElement.dataset.widgets = "ready";
}));
