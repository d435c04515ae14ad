// Before the first paint, so that a page never flashes in the other scheme.
(function () {
  "use strict";
  document.documentElement.classList.add("scripted");
  try {
    const chosen = localStorage.getItem("docent-theme");
    if (chosen === "dark" || chosen === "light") {
      document.documentElement.dataset.theme = chosen;
    }
  } catch {
    // Without storage the system's scheme is the answer.
  }
})();
