// Asks whether the site has been built again, and loads the page again if it has.
(() => {
  "use strict";
  const own = new URL(document.currentScript.src).search.slice(1);
  const ask = async () => {
    try {
      const answer = await fetch("/.docent/generation", { cache: "no-store" });
      if (answer.ok && (await answer.text()) !== own) {
        location.reload();
        return;
      }
    } catch {
      // The server has gone. It may come back.
    }
    setTimeout(ask, 1000);
  };
  ask();
})();
