// countdown shows the time left until a <time data-countdown>, in seconds. Without scripts, the element keeps its own text.

function left(ms: number) {
  if (ms <= 0) return "expired";
  const s = Math.floor(ms / 1000), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
  if (h >= 48) return `${Math.floor(h / 24)} days left`;
  if (h > 0) return `${h} h ${String(m).padStart(2, "0")} min left`;
  return `${m}:${String(s % 60).padStart(2, "0")} left`;
}

function tick() {
  for (const at of document.querySelectorAll<HTMLTimeElement>("time[data-countdown]")) {
    const text = left(Date.parse(at.dateTime) - Date.now());
    if (at.textContent !== text) at.textContent = text;
    at.toggleAttribute("data-over", text === "expired");
  }
}

if (document.querySelector("time[data-countdown]")) {
  tick();
  setInterval(tick, 1000);
}

export {};
