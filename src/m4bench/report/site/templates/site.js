// Every page is complete without this: it shows of the settings those that were asked for, says which tables
// go on to the right and lets the keyboard reach those alone, folds what is long on a phone, and opens what is folded for print.
(() => {
  for (const frame of document.querySelectorAll(".scroll")) {
    const hint = document.createElement("p");
    hint.className = "hint";
    frame.before(hint);
    const look = () => {
      const left = frame.scrollWidth - frame.clientWidth - frame.scrollLeft;
      const edge = frame.getBoundingClientRect().right;
      const beyond = Array.from(frame.querySelectorAll("thead th")).filter((head) => head.getBoundingClientRect().right > edge + 1).length;
      hint.hidden = frame.scrollWidth <= frame.clientWidth + 1;
      if (hint.hidden) frame.removeAttribute("tabindex");
      else frame.tabIndex = 0;
      hint.textContent = left > 1 ? `${beyond} more ${beyond === 1 ? "column" : "columns"} to the right →` : "← scrolled to the last column";
    };
    frame.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(frame);
  }
  if (matchMedia("screen and (max-width: 48rem)").matches) {
    for (const folded of document.querySelectorAll("details.fold-narrow")) folded.open = false;
  }
  window.addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
  });
  const bar = document.getElementById("filters");
  if (!bar) return;
  const boards = Array.from(document.querySelectorAll(".board"));
  const choices = Array.from(bar.querySelectorAll("select"));
  const box = bar.querySelector("input");
  const told = bar.querySelector("output");
  const show = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    let systems = 0;
    for (const board of boards) {
      const asked = choices.every((choice) => choice.value === "" || board.dataset[choice.name] === choice.value);
      let rows = 0;
      for (const row of board.querySelectorAll(".seats tbody tr")) {
        const name = row.cells[0].textContent.toLowerCase();
        row.hidden = !words.every((word) => name.includes(word));
        rows += row.hidden ? 0 : 1;
      }
      board.hidden = !asked || (words.length > 0 && rows === 0);
      shown += board.hidden ? 0 : 1;
      systems += board.hidden ? 0 : rows;
    }
    told.textContent = shown
      ? `${shown} of ${boards.length} settings, ${systems} ${systems === 1 ? "line" : "lines"}`
      : "No setting has all of this.";
  };
  const remember = () => {
    const asked = new URLSearchParams();
    for (const choice of choices) if (choice.value !== choice.dataset.first) asked.set(choice.name, choice.value);
    if (box.value) asked.set(box.name, box.value);
    history.replaceState(null, "", `#${asked}`);
  };
  const recall = () => {
    const board = boards.find((one) => `#${one.id}` === location.hash);
    if (board) {
      for (const choice of choices) choice.value = board.dataset[choice.name];
      box.value = "";
    } else if (location.hash.includes("=")) {
      const asked = new URLSearchParams(location.hash.slice(1));
      for (const choice of choices) {
        const value = asked.get(choice.name) ?? choice.dataset.first;
        choice.value = Array.from(choice.options).some((option) => option.value === value) ? value : "";
      }
      box.value = asked.get(box.name) ?? "";
    } else if (location.hash === "" || location.hash === "#") {
      for (const choice of choices) choice.value = choice.dataset.first;
      box.value = "";
    }
    show();
    if (board) board.scrollIntoView();
  };
  bar.addEventListener("input", () => {
    show();
    remember();
  });
  bar.querySelector("button").addEventListener("click", () => {
    for (const choice of choices) choice.value = "";
    box.value = "";
    show();
    remember();
  });
  window.addEventListener("hashchange", recall);
  bar.hidden = false;
  recall();
})();
