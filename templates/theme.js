// Runs before the first paint, so that a chosen theme never flashes the other one.
(function () {
  try {
    var theme = localStorage.getItem("benchguide-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (e) { /* storage is off: the system's theme stays */ }
})();
