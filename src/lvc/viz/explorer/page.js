"use strict";
// What the page shows and how it is used. Colours come from colouring.js, graphs from graphs.js, drawing from d3.

const WIDTH = 600;
const HEIGHT = 460;
const MOST_LISTED = 14;
const byId = (id) => document.getElementById(id);

const state = {
  graphs: [null, null], // {graph, place: [[x, y]]}; the second may be null
  colouring: null,
  search: "", // the last one that could be read
  round: 0,
  root: null, // {panel, vertex}
  looked: null, // the vertex somebody looks at
  chosen: null, // the first of two vertices to be joined
  example: 0,
};

const panels = [0, 1].map((i) => {
  const figure = byId(`panel${i}`);
  const svg = d3.select(figure).select("svg").attr("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const arrow = svg.append("defs").append("marker").attr("id", `arrow${i}`).attr("viewBox", "0 0 10 10");
  arrow.attr("refX", 9).attr("refY", 5).attr("markerWidth", 5).attr("markerHeight", 5).attr("orient", "auto");
  arrow.append("path").attr("class", "arrowhead").attr("d", "M0 0L10 5L0 10z");
  const scene = svg.append("g");
  const layers = Object.fromEntries(["edges", "arrows", "vertices"].map((name) => [name, scene.append("g")]));
  const zoom = d3.zoom().scaleExtent([0.3, 8]).on("zoom", () => scene.attr("transform", d3.event.transform));
  svg.call(zoom).on("dblclick.zoom", null);
  return { i, figure, svg, scene, zoom, ...layers };
});

// --- graphs ---------------------------------------------------------------------------------------------------------

/** Fit places into the picture. */
function fitted(place) {
  const [xs, ys] = [place.map((p) => p[0]), place.map((p) => p[1])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = Math.min((WIDTH - 90) / (Math.max(...xs) - left || 1), (HEIGHT - 90) / (Math.max(...ys) - top || 1), 160);
  const [wide, high] = [scale * (Math.max(...xs) - left), scale * (Math.max(...ys) - top)];
  return place.map(([x, y]) => [(WIDTH - wide) / 2 + scale * (x - left), (HEIGHT - high) / 2 + scale * (y - top)]);
}

/** Places for a graph that comes without: d3's force layout, run to its end. */
function arranged(graph) {
  const nodes = Array.from({ length: graph.n }, () => ({}));
  const links = graph.edges.map(([source, target]) => ({ source, target }));
  const simulation = d3.forceSimulation(nodes).stop();
  simulation.force("link", d3.forceLink(links).distance(40).strength(0.9)).force("charge", d3.forceManyBody().strength(-160));
  simulation.force("x", d3.forceX().strength(0.06)).force("y", d3.forceY().strength(0.06));
  for (let i = 0; i < 300; i++) simulation.tick();
  return fitted(nodes.map(({ x, y }) => [x, y]));
}

function setGraph(panel, graph, place = null) {
  state.graphs[panel] = graph && { graph, place: place ? fitted(place) : arranged(graph) };
  panels[panel].svg.call(panels[panel].zoom.transform, d3.zoomIdentity);
}

function showExample(number) {
  const example = DATA.examples[number];
  state.example = number;
  [0, 1].forEach((i) => {
    const given = example.graphs[i];
    setGraph(i, given ? makeGraph(given.n, given.edges, given.names, given.labels) : null, given?.place);
  });
  state.root = state.looked = state.chosen = null;
}

/** Change the graph of a panel; the others' places stay. */
function edit(panel, change) {
  attempt(() => {
    const { graph, place } = state.graphs[panel];
    const changed = change(graph, place);
    state.graphs[panel] = { graph: makeGraph(changed.n, changed.edges, changed.names, changed.labels), place: changed.place };
    byId("example").value = "own";
    recolour();
  });
}

function addVertex(panel, at) {
  edit(panel, ({ n, edges, names, labels }, place) => {
    const fresh = () => {
      for (let i = n; ; i++) if (!names.includes(`v${i}`)) return `v${i}`;
    };
    return { n: n + 1, edges, names: names && [...names, fresh()], labels: labels && [...labels, 0], place: [...place, at] };
  });
}

function joinOrPart(panel, u, v) {
  edit(panel, (graph, place) => {
    const same = ([a, b]) => a === Math.min(u, v) && b === Math.max(u, v);
    const kept = graph.edges.filter((edge) => !same(edge));
    return { ...graph, place, edges: kept.length < graph.edges.length ? kept : [...kept, [u, v]] };
  });
}

function removeVertex(panel, v) {
  state.root = state.looked = state.chosen = null;
  edit(panel, ({ n, edges, names, labels }, place) => {
    const without = (list) => list && list.filter((_, u) => u !== v);
    const moved = (u) => (u > v ? u - 1 : u);
    const kept = edges.filter((edge) => !edge.includes(v)).map((edge) => edge.map(moved));
    return { n: n - 1, edges: kept, names: without(names), labels: without(labels), place: without(place) };
  });
}

const nameOf = (panel, v) => (state.graphs[panel].graph.names ? state.graphs[panel].graph.names[v] : v);

// --- colours --------------------------------------------------------------------------------------------------------

/** Number of a vertex in the union of both graphs, and back. */
const inUnion = (panel, v) => (panel === 0 ? v : v + state.graphs[0].graph.n);
function fromUnion(u) {
  const split = state.graphs[0].graph.n;
  return u < split ? { panel: 0, vertex: u } : { panel: 1, vertex: u - split };
}

function recolour() {
  const [first, second] = state.graphs.map((one) => one?.graph);
  const atEnd = state.round === Infinity || state.round === state.colouring?.rounds.length - 1;
  state.colouring = new Colouring(second ? unionOf(first, second) : first, state.search);
  state.split = first.n;
  state.apart = second ? firstDifference(state.colouring, first.n) : -1;
  const last = state.colouring.rounds.length - 1;
  state.round = atEnd ? last : Math.min(state.round, last); // who looks at the end wants to see the end
  if (state.root && state.root.vertex >= state.graphs[state.root.panel].graph.n) state.root = null;
  listRoots();
  render();
}

/** Do something that may be refused; say why if it is. */
function attempt(action) {
  const message = byId("message");
  try {
    action();
    message.hidden = true;
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    message.textContent = error.message;
    message.hidden = false;
  }
}

const fillOf = (colour) => DATA.palette[colour % DATA.palette.length];
const inkOf = (colour) => (DATA.dark.includes(fillOf(colour)) ? "#ffffff" : "#111111");

/** The part of the search whose ball, distances and pair colours are shown: the widest. */
function widest() {
  const radii = state.colouring.parts.map((part) => part.radius);
  return radii.indexOf(Math.max(...radii));
}

/** What a vertex shows: its colour, or the colour of its pair with the root (null outside the ball). */
function shownColour(panel, v) {
  const now = state.colouring.rounds[state.round];
  const u = inUnion(panel, v);
  if (byId("shown").value === "vertex" || !state.root || state.colouring.isWl) return now.vertex[u];
  const s = widest();
  const pair = state.colouring.pairs[s].at[inUnion(state.root.panel, state.root.vertex)].get(u);
  return pair === undefined ? null : now.pairs[s][pair];
}

function ballOfRoot() {
  if (!state.root || state.colouring.isWl) return null;
  return state.colouring.pairs[widest()].balls[inUnion(state.root.panel, state.root.vertex)];
}

// --- drawing --------------------------------------------------------------------------------------------------------

function render() {
  panels.forEach(renderPanel);
  renderRound();
  renderVerdict();
  renderLooked();
  byId("toggle").textContent = state.graphs[1] ? "remove" : "add";
  remember();
}

function renderPanel(panel) {
  const shown = state.graphs[panel.i];
  panel.figure.hidden = !shown;
  if (!shown) return;
  const { graph, place } = shown;
  const ball = ballOfRoot();
  const distance = (v) => (ball ? ball.distance[inUnion(panel.i, v)] : -1);
  const outside = (v) => ball !== null && distance(v) < 0;
  const unlike = new Set(unlikeHere().flatMap((one) => (panel.i === 0 ? one.first : one.second)));
  const small = graph.n > 60;
  bound(panel.edges, "g.joined", graph.edges, (enter) => newEdges(panel, enter), (edge) => edge.join());
  panel.edges.selectAll("line.edge")
    .classed("outside", ([u, v]) => outside(u) || outside(v))
    .classed("search", ([u, v]) => ball !== null && !outside(u) && !outside(v) && distance(u) !== distance(v));
  const vertices = bound(panel.vertices, "g.vertex", d3.range(graph.n), (enter) => newVertices(panel, enter));
  vertices.classed("root", (v) => isRoot(panel.i, v)).classed("unlike", (v) => unlike.has(v)).classed("outside", outside);
  vertices.classed("chosen", (v) => state.chosen?.panel === panel.i && state.chosen.vertex === v);
  vertices.each(function (v) {
    const colour = shownColour(panel.i, v);
    const group = d3.select(this).attr("data-colour", colour);
    group.attr("aria-label", `vertex ${nameOf(panel.i, v)}, ${colour === null ? "outside the ball" : `colour ${colour}`}`);
    group.select(".fill").attr("r", small ? 6 : 14).attr("fill", colour === null ? "#ffffff" : fillOf(colour));
    group.select(".halo").attr("r", small ? 10 : 19);
    group.select(".colour").text(small || colour === null ? "" : colour).attr("fill", colour === null ? "" : inkOf(colour));
    const far = ball && distance(v) >= 0 ? ` d=${distance(v)}` : "";
    group.select(".name").attr("x", small ? 8 : 16).attr("y", small ? -7 : -13).text(small && !far ? "" : `${nameOf(panel.i, v)}${far}`);
  });
  d3.select(panel.figure).select("figcaption").text(captionOf(panel.i));
  const text = d3.select(panel.figure).select("textarea").node();
  if (document.activeElement !== text) text.value = writeGraph(graph);
  settle(panel);
}

/** One element for every entry of data: old ones stay, new ones are made, the others go. */
function bound(parent, selector, data, make, key = undefined) {
  const old = parent.selectAll(selector).data(data, key);
  old.exit().remove();
  return make(old.enter()).merge(old);
}

function newEdges(panel, enter) {
  const groups = enter.append("g").attr("class", "joined");
  groups.append("line").attr("class", "edge");
  groups.append("line").attr("class", "catch").on("click", ([u, v]) => {
    if (mode() === "erase") joinOrPart(panel.i, u, v);
  });
  return groups;
}

function newVertices(panel, enter) {
  const drag = d3.drag().filter(() => mode() === "move" && !d3.event.button).clickDistance(4);
  const groups = enter.append("g").attr("class", "vertex").attr("tabindex", 0).attr("role", "button");
  groups.append("circle").attr("class", "halo");
  groups.append("circle").attr("class", "fill");
  groups.append("text").attr("class", "colour");
  groups.append("text").attr("class", "name");
  groups.on("click", (v) => (d3.event.stopPropagation(), press(panel.i, v)))
    .on("mouseenter focus", (v) => look(panel.i, v))
    .on("mouseleave blur", () => look(null))
    .on("keydown", (v) => keyOnVertex(panel.i, v, d3.event));
  return groups.call(drag.on("drag", (v) => moveTo(panel, v, [d3.event.x, d3.event.y]))
    .subject((v) => ({ x: state.graphs[panel.i].place[v][0], y: state.graphs[panel.i].place[v][1] })));
}

function moveTo(panel, v, at) {
  state.graphs[panel.i].place[v] = at;
  settle(panel);
  renderLooked();
}

/** Put everything where it stands. */
function settle(panel) {
  const { place } = state.graphs[panel.i];
  panel.edges.selectAll("line")
    .attr("x1", ([u]) => place[u][0]).attr("y1", ([u]) => place[u][1])
    .attr("x2", ([, v]) => place[v][0]).attr("y2", ([, v]) => place[v][1]);
  panel.vertices.selectAll("g.vertex").attr("transform", (v) => `translate(${place[v]})`);
}

function captionOf(i) {
  const { graph } = state.graphs[i];
  const { vertex } = state.colouring.rounds[state.round];
  const own = new Set(vertex.slice(inUnion(i, 0), inUnion(i, 0) + graph.n));
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : word === "vertex" ? "" : "s"}`;
  return `${graph.n === 1 ? "1 vertex" : `${graph.n} vertices`}, ${count(graph.edges.length, "edge")}, ${count(own.size, "colour")}`;
}

function renderRound() {
  const last = state.colouring.rounds.length - 1;
  Object.assign(byId("round"), { max: last, value: state.round });
  byId("back").disabled = state.round === 0;
  byId("forth").disabled = state.round === last;
  byId("roundtext").textContent = `round ${state.round} of ${last}${state.round === last ? ", stable" : ""}`;
}

const unlikeHere = () => (state.graphs[1] ? differences(state.colouring.rounds[state.round].vertex, state.split) : []);

function renderVerdict() {
  const search = state.colouring.parts.map((part) => part.text).join("+");
  const verdict = byId("verdict");
  if (!state.graphs[1]) {
    verdict.textContent = "";
  } else if (state.apart < 0) {
    verdict.textContent = `${search} does not tell the two graphs apart: in every round both have the same colours equally often.`;
  } else if (state.round < state.apart) {
    verdict.textContent = `${search}: no difference yet; in round ${state.apart} they are told apart.`;
  } else {
    const { colour, first, second } = unlikeHere()[0];
    const where = `colour ${colour} is on ${first.length} vertices of the first graph and ${second.length} of the second`;
    verdict.textContent = `Told apart by ${search} in round ${state.apart}: ${where}.`;
  }
}

// --- what made a colour ---------------------------------------------------------------------------------------------

function look(panel, vertex) {
  state.looked = panel === null ? null : { panel, vertex };
  renderLooked();
}

/** Whose recipe is shown: the vertex looked at, else one of a colour that tells the graphs apart, else the root. */
function inFocus() {
  if (state.looked) return state.looked;
  const unlike = unlikeHere()[0];
  if (unlike && state.round >= state.apart) {
    return unlike.first.length ? { panel: 0, vertex: unlike.first[0] } : { panel: 1, vertex: unlike.second[0] };
  }
  return state.root;
}

function renderLooked() {
  const focus = inFocus();
  const recipe = d3.select("#recipe").html("");
  const eta = d3.select("#eta").html("");
  panels.forEach((panel) => {
    panel.arrows.selectAll("*").remove();
    panel.vertices.selectAll("g.vertex").classed("eta", false);
  });
  if (!focus) {
    recipe.append("p").attr("class", "quiet").text("Look at a vertex to see what made its colour.");
    return;
  }
  renderRecipe(recipe, focus);
  if (state.looked && state.root && !state.colouring.isWl) renderEta(eta, focus);
}

function renderRecipe(into, { panel, vertex }) {
  const u = inUnion(panel, vertex);
  const made = state.colouring.vertexRecipe(u, state.round);
  const title = into.append("h2").text(`Vertex ${nameOf(panel, vertex)} has `);
  addDot(title, state.colouring.rounds[state.round].vertex[u]);
  if (!made) {
    into.append("p").text("Round 0: its label, or the one colour that all begin with.");
    return;
  }
  const before = into.append("p").text("It had ");
  addDot(before, made.own);
  before.append("span").text(` in round ${state.round - 1}, and`);
  made.seen.forEach((seen, s) => {
    const total = seen.reduce((sum, one) => sum + one.times, 0);
    const balls = `${total} ball${total === 1 ? "" : "s"} of ${state.colouring.parts[s].text}`;
    const what = state.colouring.isWl ? `has ${total} neighbour${total === 1 ? "" : "s"}` : `is in ${balls}`;
    into.append("p").text(total ? `${what}:` : "nobody sees it.");
    const list = into.append("ul");
    for (const one of seen.slice(0, MOST_LISTED)) {
      const item = list.append("li").text(`${one.times} × `);
      if (state.colouring.isWl) addDot(item, one.colour);
      else addPair(item, s, one.pair, state.round);
    }
    if (seen.length > MOST_LISTED) list.append("li").text(`and ${seen.length - MOST_LISTED} more`);
  });
}

/** "[7] = (2) with η {{ root (3), 2 × [5] }}" */
function addPair(into, s, pair, round) {
  addDot(into, state.colouring.rounds[round].pairs[s][pair], true);
  const { own, seen } = state.colouring.pairRecipe(s, pair, round);
  into.append("span").text(" = ");
  addDot(into, own);
  into.append("span").text(seen.length ? " with η {{ " : " with empty η");
  seen.slice(0, MOST_LISTED).forEach((one, i) => {
    const role = state.colouring.parts[s].kind === "levels" ? ` ${["parent", "sibling", "child"][one.role]}` : "";
    const root = state.colouring.isRoot(s, one.pair);
    into.append("span").text(`${i ? ", " : ""}${one.times > 1 ? `${one.times} × ` : ""}${root ? "root " : ""}`);
    addDot(into, one.colour, !root && round > 1);
    into.append("span").text(role);
  });
  if (seen.length) into.append("span").text(seen.length > MOST_LISTED ? ", … }}" : " }}");
}

function addDot(into, colour, isPair = false) {
  into.append("span").attr("class", isPair ? "dot pair" : "dot").style("background", fillOf(colour)).style("color", inkOf(colour)).text(colour);
}

function renderEta(into, { panel, vertex }) {
  const s = widest();
  const pairs = state.colouring.pairs[s];
  const root = inUnion(state.root.panel, state.root.vertex);
  const pair = pairs.at[root].get(inUnion(panel, vertex));
  const title = into.append("h2").text(`η of vertex ${nameOf(panel, vertex)} in the search from ${nameOf(state.root.panel, state.root.vertex)} (${pairs.part.text})`);
  if (pair === undefined) return void title.append("p").attr("class", "quiet").text("outside the ball");
  if (pairs.group[pair] < 0) return void into.append("p").text("The root: its pair colour is its own colour.");
  const members = pairs.eta[pairs.group[pair]].map((m) => fromUnion(pairs.vertex[m.pair]).vertex);
  into.append("p").attr("id", "members").text(members.length ? members.map((v) => nameOf(panel, v)).join(" ") : "empty");
  if (state.round > 0) addPair(into.append("p"), s, pair, state.round);
  const { place } = state.graphs[panel];
  const arrows = panels[panel].arrows;
  for (const w of members.filter((v) => v !== vertex)) {
    arrows.append("path").attr("class", "arrow").attr("marker-end", `url(#arrow${panel})`).attr("d", arrowPath(place[w], place[vertex]));
  }
  panels[panel].vertices.selectAll("g.vertex").classed("eta", (v) => members.includes(v));
}

/** A slightly bent way from one vertex to the rim of another. */
function arrowPath([x, y], [a, b]) {
  const length = Math.hypot(a - x, b - y) || 1;
  const end = [a - (18 * (a - x)) / length, b - (18 * (b - y)) / length];
  const bend = [(x + a) / 2 + 0.12 * (b - y), (y + b) / 2 - 0.12 * (a - x)];
  return `M${x} ${y}Q${bend[0]} ${bend[1]} ${end[0]} ${end[1]}`;
}

// --- using it -------------------------------------------------------------------------------------------------------

const mode = () => document.querySelector("input[name=mode]:checked").value;
const isRoot = (panel, v) => state.root !== null && state.root.panel === panel && state.root.vertex === v;

function press(panel, v) {
  if (mode() === "erase") removeVertex(panel, v);
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
  else if (event.key === "Delete" || event.key === "Backspace") removeVertex(panel, v);
  else if (step && event.shiftKey) moveTo(panels[panel], v, state.graphs[panel].place[v].map((x, i) => x + step[i]));
  else return;
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
  if (kind !== "other") setSearch(kind === "wl" ? "wl" : `${kind}:${radius}`);
}

/** The address keeps what is shown, so that it can be sent to somebody. */
function remember() {
  const example = byId("example").value;
  const facts = new URLSearchParams({ search: state.search, round: state.round });
  if (example !== "own") facts.set("example", DATA.examples[Number(example)].name);
  if (state.root) facts.set("root", `${state.root.panel} ${state.root.vertex}`);
  history.replaceState(null, "", `#${facts}`);
}

function begin() {
  const facts = new URLSearchParams(location.hash.slice(1));
  const options = bound(d3.select("#example"), "option", DATA.examples, (enter) => enter.append("option"));
  options.attr("value", (_, i) => i).text((example) => example.title);
  d3.select("#example").append("option").attr("value", "own").text("your own");
  const wanted = DATA.examples.findIndex((example) => example.name === facts.get("example"));
  showExample(Math.max(wanted, 0));
  byId("example").value = state.example;
  state.round = Number(facts.get("round") ?? Infinity);
  const [panel, vertex] = (facts.get("root") ?? "").split(" ").map(Number);
  if (vertex < state.graphs[panel]?.graph.n) state.root = { panel, vertex };
  state.search = DATA.search;
  setSearch(facts.get("search") ?? DATA.search);
  if (!state.colouring) recolour(); // the address asked for a search that this page does not know
}

function listen() {
  byId("example").onchange = (event) => {
    if (event.target.value === "own") return;
    state.round = Infinity;
    showExample(Number(event.target.value));
    attempt(recolour);
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
  document.addEventListener("keydown", (event) => {
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") goTo(state.round - 1);
    else if (event.key === "ArrowRight") goTo(state.round + 1);
    else if (event.key === "n") addVertex(state.looked?.panel ?? 0, [WIDTH / 2 + 40 * Math.random(), HEIGHT / 2 + 40 * Math.random()]);
    else return;
    event.preventDefault();
  });
}

function listenToPanel(panel) {
  const figure = d3.select(panel.figure);
  panel.svg.on("click", () => {
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
  figure.select(".arrange").on("click", () => attempt(() => replaced(state.graphs[panel.i].graph)));
  figure.select(".empty").on("click", () => {
    document.querySelector("input[name=mode][value=draw]").checked = true;
    attempt(() => replaced(makeGraph(0, [])));
  });
}

listen();
begin();
