// What a page can do beyond being read: sort and filter tables, say what a mark of a picture means, zoom into trends. Without
// it nothing is missing.
"use strict";
(() => {
  const order = cell => {
    if (cell.dataset.o !== undefined) return Number(cell.dataset.o);
    const text = cell.textContent.trim().toLowerCase();
    return cell.className === "n" ? (Number.isNaN(parseFloat(text)) ? -Infinity : parseFloat(text)) : text;
  };

  const sorted = (rows, column, down) => rows.slice().sort((a, b) => {
    const x = order(a.cells[column]), y = order(b.cells[column]);
    const one = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return down ? -one : one;
  });

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.title = "sort by " + head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        body.append(...sorted([...body.rows], column, down));
      });
    });
  }

  function filterable(table) {
    if (table.tBodies[0].rows.length < 12) return;
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "filter rows";
    field.setAttribute("aria-label", "filter rows of " + (table.caption ? table.caption.textContent : "the table"));
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
      }
    });
    table.parentNode.before(field);
  }

  // Marks with a word of their own: the pointer or the arrow keys choose one, and a line below the picture says it.
  function readable(figure) {
    const box = figure.querySelector(".scroll"), words = mark => mark.querySelector("title").textContent;
    const marks = [...figure.querySelectorAll("svg > :has(> title)")].filter((mark, i, all) => !all[i + 1] || words(mark) !== words(all[i + 1]));
    if (!box || marks.length === 0) return;
    const line = document.createElement("output");
    line.className = "said";
    box.after(line);
    box.setAttribute("aria-label", box.getAttribute("aria-label") + " Left and right arrow keys read its marks.");
    let at = -1;
    const choose = i => {
      if (at >= 0) marks[at].classList.remove("chosen");
      at = (i + marks.length) % marks.length;
      marks[at].classList.add("chosen");
      line.textContent = words(marks[at]);
    };
    marks.forEach((mark, i) => mark.addEventListener("pointerenter", () => choose(i)));
    box.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step || event.target !== box) return;
      event.preventDefault();
      choose(at < 0 ? (step > 0 ? 0 : -1) : at + step);
      marks[at].scrollIntoView({block: "nearest", inline: "nearest"});
    });
  }

  // [name, [[seconds, low, middle, high], ...]] of each trend; the library comes with Debian (libjs-dygraphs).
  function zoomable(trends) {
    const place = document.getElementById("zoom"), choice = document.createElement("select");
    choice.setAttribute("aria-label", "kernel");
    trends.forEach(([name], i) => choice.add(new Option(name, String(i))));
    place.before(choice);
    // The library's own legend is markup with styles, which the policy refuses.
    Dygraph.PLUGINS = Dygraph.PLUGINS.filter(plugin => plugin !== Dygraph.Plugins.Legend);
    const read = document.createElement("p");
    place.after(read);
    const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    let graph = null;
    const show = i => {
      if (graph) graph.destroy();
      const points = trends[i][1], dated = points.at(-1)[0] - points[0][0] >= 60;  // what came at once: in its order
      const rows = points.map(([at, low, middle, high], n) => [dated ? new Date(at * 1000) : n + 1, [low, middle, high]]);
      graph = new Dygraph(place, rows, {
        customBars: true, drawPoints: true, pointSize: 3, labels: ["time", "ms"], ylabel: "ms", axisLabelFontSize: 12,
        color: ink("--ac"), axisLineColor: ink("--di"), gridLineColor: ink("--gr"),
        highlightCallback: (event, x, near) => {
          const [low, middle, high] = rows[near[0].idx][1];
          read.textContent = `${dated ? new Date(x).toISOString().slice(0, 16) : "record " + x}: ${middle} ms (${low} to ${high})`;
        },
      });
    };
    choice.addEventListener("change", () => show(Number(choice.value)));
    const asked = trends.findIndex(([name]) => name === decodeURIComponent(location.hash.slice(1)));
    if (asked > 0) choice.value = String(asked);
    show(Math.max(asked, 0));
  }

  document.querySelectorAll("table.sort").forEach(table => {
    sortable(table);
    filterable(table);
  });
  document.querySelectorAll("figure").forEach(readable);
  const data = document.getElementById("trends");
  if (data && typeof Dygraph === "function") zoomable(JSON.parse(data.textContent));
  document.documentElement.dataset.ready = "yes";
})();
