// Brings the current page into view in the sidebar and closes menus with Escape.
(() => {
  const sidebar = document.querySelector(".sidebar");
  const current = sidebar && sidebar.querySelector('[aria-current="page"]');
  if (current && current.offsetTop > sidebar.clientHeight - 80) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.switch[open], details.drawer[open]")) menu.open = false;
  });
})();
