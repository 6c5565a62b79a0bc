// Redirects from a moved page to its new URL and keeps the query and the anchor, like a server's redirect. Without scripts, the page
// redirects without them.
const to = new URL(document.currentScript?.dataset.to ?? "", document.baseURI);
if (!to.search) to.search = location.search;
if (!to.hash) to.hash = location.hash;
location.replace(to.href);

export {};
