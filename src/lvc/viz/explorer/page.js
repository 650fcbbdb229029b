"use strict";
// How the page is used: pointer, keyboard, fields, address.

const mode = () => document.querySelector("input[name=mode]:checked").value;
const isRoot = (panel, v) => state.root !== null && state.root.panel === panel && state.root.vertex === v;

function press(panel, v, byFinger = false) {
  state.last = panel;
  if (mode() === "move" && byFinger && !(state.tapped?.panel === panel && state.tapped.vertex === v)) {
    state.tapped = { panel, vertex: v }; // a finger cannot hover: the first tap looks, the second makes the root
    look(panel, v);
  } else if (mode() === "erase") removeVertex(panel, v);
  else if (mode() === "draw") choose(panel, v);
  else setRoot(isRoot(panel, v) ? null : { panel, vertex: v });
}

function setRoot(root) {
  state.root = root;
  byId("root").value = root ? `${root.panel} ${root.vertex}` : "";
  render();
}

/** The first of two vertices, or the second: then they are joined or parted. */
function choose(panel, v) {
  const first = state.chosen;
  state.chosen = null;
  if (first === null || first.panel !== panel) state.chosen = { panel, vertex: v };
  else if (first.vertex !== v) return joinOrPart(panel, first.vertex, v);
  render();
}

function keyOnVertex(panel, v, event) {
  const step = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[event.key];
  if (event.key === "Enter" || event.key === " ") setRoot(isRoot(panel, v) ? null : { panel, vertex: v });
  else if (event.key === "e") choose(panel, v);
  else if (event.key === "Delete" || event.key === "Backspace") {
    removeVertex(panel, v);
    const left = panels[panel].vertices.selectAll("g.vertex").nodes();
    (left[Math.min(v, left.length - 1)] ?? panels[panel].svg.node()).focus();
  }
  else if (step && event.shiftKey) {
    moveTo(panels[panel], v, state.graphs[panel].place[v].map((x, i) => x + step[i]));
    renderLooked();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function goTo(round) {
  state.round = Math.max(0, Math.min(round, state.colouring.rounds.length - 1));
  render();
}

function listRoots() {
  const all = state.graphs.flatMap((one, panel) => (one ? d3.range(one.graph.n).map((v) => ({ panel, v })) : []));
  const options = bound(d3.select("#root"), "option", [null, ...all], (enter) => enter.append("option"));
  options.attr("value", (one) => (one ? `${one.panel} ${one.v}` : ""));
  options.text((one) => (one ? `${nameOf(one.panel, one.v)}${state.graphs[1] ? (one.panel ? " (second)" : " (first)") : ""}` : "none"));
  byId("root").value = state.root ? `${state.root.panel} ${state.root.vertex}` : "";
}

/** Kind and radius follow the search in words. */
function followSearch() {
  const { parts } = state.colouring;
  byId("kind").value = parts.length === 1 ? parts[0].kind : "other";
  const bounded = parts.length === 1 && parts[0].kind !== "wl";
  byId("infinite").checked = bounded && parts[0].radius === Infinity;
  byId("radius").disabled = byId("infinite").checked || !bounded;
  byId("infinite").disabled = !bounded;
  byId("search").value = state.search;
  if (bounded && parts[0].radius !== Infinity) byId("radius").value = parts[0].radius;
}

/** Colour by another search; a wrong text changes nothing but the message. */
function setSearch(text) {
  byId("search").value = text;
  attempt(() => {
    parseSearch(text);
    state.search = text;
    recolour();
    followSearch();
  });
}

function composeSearch() {
  const kind = byId("kind").value;
  const radius = byId("infinite").checked ? "inf" : byId("radius").value;
  attempt(() => {
    if (kind !== "wl" && !/^(inf|[1-9][0-9]*)$/.test(radius)) {
      throw new BadInput(`radius must be a whole number, 1 or more, got "${radius}"`);
    }
  });
  if (kind === "other") byId("search").focus();
  else if (byId("message").hidden) setSearch(kind === "wl" ? "wl" : `${kind}:${radius}`);
}

let remembering = 0;

/** The address keeps what is shown, graphs of one's own too, so that it can be sent to somebody. */
function remember() {
  clearTimeout(remembering); // browsers do not like it changed at every step of a slider
  remembering = setTimeout(() => {
    const example = byId("example").value;
    const facts = new URLSearchParams({ search: state.search, round: state.round });
    if (example !== "own") facts.set("example", DATA.examples[Number(example)].name);
    else state.graphs.forEach((one, i) => one && facts.set(["first", "second"][i], writeGraph(one.graph)));
    if (state.root) facts.set("root", `${state.root.panel} ${state.root.vertex}`);
    history.replaceState(null, "", `#${facts}`);
  }, 150);
}

function begin() {
  const facts = new URLSearchParams(location.hash.slice(1));
  const options = bound(d3.select("#example"), "option", [...DATA.examples, null], (enter) => enter.append("option"));
  options.attr("value", (example, i) => (example ? i : "own")).text((example) => example?.title ?? "your own");
  const wanted = DATA.examples.findIndex((example) => example.name === facts.get("example"));
  showExample(Math.max(wanted, 0));
  byId("example").value = state.example;
  attempt(() => readOwn(facts));
  const said = byId("message").hidden ? "" : byId("message").textContent;
  state.round = /^[0-9]+$/.test(facts.get("round")) ? Number(facts.get("round")) : Infinity;
  const [panel, vertex] = (/^[01] [0-9]+$/.test(facts.get("root")) ? facts.get("root") : "").split(" ").map(Number);
  if (vertex < state.graphs[panel]?.graph.n) state.root = { panel, vertex };
  [state.search, state.colouring] = [DATA.search, null];
  setSearch((facts.get("search") ?? DATA.search).replaceAll(" ", "+")); // a plus in an address means a gap
  if (!state.colouring) recolour(); // the address asked for a search that this page does not know
  if (said) Object.assign(byId("message"), { textContent: said, hidden: false });
}

/** Graphs of one's own from the address. */
function readOwn(facts) {
  if (!facts.has("first")) return;
  const own = ["first", "second"].map((name) => (facts.has(name) ? readGraph(facts.get(name)) : null));
  own.forEach((graph, i) => setGraph(i, graph));
  byId("example").value = "own";
}

function listen() {
  byId("example").onchange = (event) => {
    if (event.target.value === "own") return;
    state.round = Infinity;
    showExample(Number(event.target.value));
    attempt(recolour);
    followSearch();
  };
  for (const id of ["kind", "radius", "infinite"]) byId(id).onchange = composeSearch;
  byId("search").onchange = (event) => setSearch(event.target.value);
  byId("root").onchange = (event) => {
    const [panel, vertex] = event.target.value.split(" ").map(Number);
    setRoot(event.target.value ? { panel, vertex } : null);
  };
  byId("shown").onchange = render;
  byId("mode").onchange = () => ((state.chosen = null), render());
  byId("round").oninput = (event) => goTo(Number(event.target.value));
  byId("back").onclick = () => goTo(state.round - 1);
  byId("forth").onclick = () => goTo(state.round + 1);
  byId("toggle").onclick = () => {
    const { graph, place } = state.graphs[0];
    state.graphs[1] = state.graphs[1] ? null : { graph, place: place.map((at) => [...at]) };
    if (state.root?.panel === 1) state.root = null;
    state.looked = state.chosen = null;
    byId("example").value = "own";
    attempt(recolour);
  };
  byId("theme").onclick = () => {
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
  };
  panels.forEach(listenToPanel);
  addEventListener("hashchange", begin);
  document.addEventListener("keydown", (event) => {
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") goTo(state.round - 1);
    else if (event.key === "ArrowRight") goTo(state.round + 1);
    else if (event.key === "n") addVertexSomewhere();
    else return;
    event.preventDefault();
  });
}

/** A new vertex where there is room: along a spiral from the middle, in the panel that was used last. */
function addVertexSomewhere() {
  const panel = state.graphs[state.last] ? state.last : 0;
  const { place } = state.graphs[panel];
  for (let i = 0; ; i++) {
    const [turn, far] = [2.4 * i, 14 * Math.sqrt(i)];
    const at = [WIDTH / 2 + far * Math.cos(turn), HEIGHT / 2 + far * Math.sin(turn)];
    if (place.every(([x, y]) => Math.hypot(x - at[0], y - at[1]) > 34) || i > 500) return addVertex(panel, at);
  }
}

function listenToPanel(panel) {
  const figure = d3.select(panel.figure);
  panel.svg.on("click", () => {
    state.last = panel.i;
    if (mode() === "draw") addVertex(panel.i, d3.mouse(panel.scene.node()));
  });
  const replaced = (graph) => {
    setGraph(panel.i, graph);
    state.root = state.looked = state.chosen = null;
    state.round = Infinity;
    byId("example").value = "own";
    recolour();
  };
  figure.select(".load").on("click", () => attempt(() => replaced(readGraph(figure.select("textarea").node().value))));
  figure.select(".arrange").on("click", () => {
    setGraph(panel.i, state.graphs[panel.i].graph);
    render();
  });
  figure.select(".empty").on("click", () => {
    document.querySelector("input[name=mode][value=draw]").checked = true;
    attempt(() => replaced(makeGraph(0, [])));
  });
}

listen();
begin();
