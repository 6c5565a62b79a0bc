(() => {
  const said = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  const form = document.forms[0];
  if (!said.get("token")) return;
  form.token.value = said.get("token");
  form.next.value = said.get("next") || "/";
  form.submit();
})();
