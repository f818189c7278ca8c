// Copy buttons, the theme switch, and a language switch that stays where the reader is.
(function () {
  "use strict";
  var root = document.documentElement;

  function dark() {
    if (root.dataset.theme) return root.dataset.theme === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  }
  document.querySelectorAll("[data-theme-toggle]").forEach(function (button) {
    button.addEventListener("click", function () {
      root.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("benchguide-theme", root.dataset.theme); } catch (e) { /* lasts for this page only */ }
    });
  });

  // clipboard needs a secure context, which a page opened from disk may not be.
  function copy(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    var field = document.createElement("textarea"), focus = document.activeElement;
    field.value = text;
    field.style.cssText = "position:fixed;top:0;opacity:0";
    document.body.append(field);
    field.select();
    var done = document.execCommand("copy");
    field.remove();
    if (focus) focus.focus();
    return done ? Promise.resolve() : Promise.reject(new Error("copy was refused"));
  }
  document.querySelectorAll("button[data-copy]").forEach(function (button) {
    var label = button.textContent;
    button.addEventListener("click", function () {
      var figure = button.closest("figure");
      var code = figure && figure.querySelector("pre code, pre");
      if (!code) return;
      function say(sign, state) {
        button.textContent = sign + " " + label;
        button.classList.add(state);
        setTimeout(function () { button.textContent = label; button.classList.remove(state); }, 1500);
      }
      copy(code.textContent.replace(/\n$/, "")).then(function () {
        say("✓", "done");
      }, function () { say("✗", "failed"); });
    });
  });

  document.querySelectorAll("a[data-keep-hash]").forEach(function (a) {
    var href = a.getAttribute("href");
    function follow() {
      var here = location.hash, top = 0;
      if (!here) {
        document.querySelectorAll("main h2[id], main h3[id]").forEach(function (h) {
          if (h.getBoundingClientRect().top < 120) here = "#" + h.id;
        });
      }
      a.setAttribute("href", href + here);
    }
    a.addEventListener("click", follow);
    a.addEventListener("focus", follow);
  });

  // The number of a raw line gives the line's address; text that is being selected does not.
  document.querySelectorAll(".raw .line").forEach(function (line) {
    line.addEventListener("click", function () {
      if (getSelection().isCollapsed) location.hash = line.id;
    });
  });

  // On a phone the contents start folded: before a jump to a section, which they would move.
  var contents = document.querySelector("nav.contents");
  if (contents && matchMedia("(max-width: 60rem)").matches) contents.querySelector("details").open = false;

  // A link into a folded block opens it.
  function unfold() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var n = target; n; n = n.parentElement) if (n.tagName === "DETAILS") n.open = true;
    if (target) target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();

  // The contents mark the section that is being read: the last heading above the upper third.
  if (contents && "IntersectionObserver" in window) {
    var links = {}, passed = new Set();
    contents.querySelectorAll("a").forEach(function (a) { links[a.getAttribute("href").slice(1)] = a; });
    var observer = new IntersectionObserver(function (entries) {
      entries.forEach(function (e) {
        if (e.isIntersecting) passed.add(e.target.id); else passed.delete(e.target.id);
      });
      var current;
      Object.keys(links).forEach(function (id) {
        links[id].removeAttribute("aria-current");
        if (passed.has(id)) current = links[id];
      });
      if (current) current.setAttribute("aria-current", "true");
    }, { rootMargin: "1000000px 0px -66% 0px" });
    Object.keys(links).forEach(function (id) {
      var heading = document.getElementById(id);
      if (heading) observer.observe(heading);
    });
  }

  // Paper is light. The stylesheet knows; the drawings follow the page's theme.
  var chosen;
  addEventListener("beforeprint", function () { chosen = root.dataset.theme; root.dataset.theme = "light"; });
  addEventListener("afterprint", function () {
    if (chosen) root.dataset.theme = chosen; else delete root.dataset.theme;
  });
})();
