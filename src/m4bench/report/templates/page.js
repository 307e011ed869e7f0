// The page is complete without this: it sorts and filters the table of all runs, says which tables go on
// to the right and lets the keyboard reach those alone, and opens what is folded for print
// or where a link leads into it.
(() => {
  for (const frame of document.querySelectorAll(".scroll")) {
    const hint = document.createElement("p");
    hint.className = "hint";
    frame.before(hint);
    const look = () => {
      const left = frame.scrollWidth - frame.clientWidth - frame.scrollLeft;
      const edge = frame.getBoundingClientRect().right;
      const heads = frame.querySelectorAll("thead th");
      const figure = heads.length === 0;
      const beyond = Array.from(heads).filter((head) => head.getBoundingClientRect().right > edge + 1).length;
      hint.hidden = frame.scrollWidth <= frame.clientWidth + 1;
      if (hint.hidden) frame.removeAttribute("tabindex");
      else frame.tabIndex = 0;
      if (figure) hint.textContent = left > 1 ? "more to the right →" : "← scrolled to the end";
      else hint.textContent = left > 1 ? `${beyond} more ${beyond === 1 ? "column" : "columns"} to the right →` : "← scrolled to the last column";
    };
    frame.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(frame);
  }
  if (matchMedia("screen and (max-width: 48rem)").matches) {
    for (const folded of document.querySelectorAll("details.fold-narrow")) folded.open = false;
  }
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target?.closest("details:not([open])");
    for (let around = folded; around; around = around.parentElement?.closest("details")) around.open = true;
    if (folded) target.scrollIntoView();
  };
  window.addEventListener("hashchange", unfold);
  unfold();
  window.addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details:not(.same, .shut)")) folded.open = true;
  });
  const table = document.getElementById("all-runs");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const value = (row, index) => row.cells[index].dataset.sort ?? row.cells[index].textContent.trim();
  const compare = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const [x, y] = [Number(a), Number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
  };
  Array.from(table.tHead.rows[0].cells).forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => (down ? -1 : 1) * compare(value(a, index), value(b, index)));
      body.append(...rows);
    });
  });
  const tools = document.getElementById("run-tools");
  const box = tools.querySelector("input");
  const shown = tools.querySelector("output");
  tools.hidden = false;
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      left += row.hidden ? 0 : 1;
    }
    shown.textContent = words.length ? `${left} of ${rows.length}` : "";
  });
})();
