// A page that moved leads on to its new address, with the question and the place in it that the old address had. A redirect of a server's
// does the same; without scripts the page leads on without them.
const to = new URL(document.currentScript?.dataset.to ?? "", document.baseURI);
if (!to.search) to.search = location.search;
if (!to.hash) to.hash = location.hash;
location.replace(to.href);

export {};
