const frames = (n, then) => requestAnimationFrame(() => (n > 1 ? frames(n - 1, then) : then()));
addEventListener("load", () => frames(2, () => {
  document.body.insertAdjacentHTML("afterbegin", '<div id="late" style="height: 300px">Late</div>');
  frames(2, () => { document.documentElement.dataset.late = ""; });
}));
