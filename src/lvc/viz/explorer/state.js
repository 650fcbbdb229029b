"use strict";
// What the page shows: graphs with places, their colouring, a round, a root; and how the graphs are changed.

const NARROW = innerWidth < 640; // on a phone the plane is smaller, so that what stands on it is larger
const WIDTH = NARROW ? 360 : 600;
const HEIGHT = NARROW ? 290 : 460;
const MOST_LISTED = 14;
const PATIENCE = 3000; // milliseconds after which a colouring is given up, and the page says so
const byId = (id) => document.getElementById(id);

const state = {
  graphs: [null, null], // {graph, place: [[x, y]]}; the second may be null
  colouring: null,
  search: "", // the last one that could be read
  round: 0,
  root: null, // {panel, vertex}
  looked: null, // the vertex somebody looks at
  chosen: null, // the first of two vertices to be joined
  tapped: null, // the vertex that a finger pointed at last
  last: 0, // the panel that was used last
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
  const zoom = d3.zoom().scaleExtent([0.3, 12]).on("zoom", () => {
    scene.attr("transform", d3.event.transform).classed("near", d3.event.transform.k >= 3);
  });
  svg.call(zoom).on("dblclick.zoom", null);
  return { i, figure, svg, scene, zoom, ...layers };
});

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
    state.last = panel;
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
  const kept = (one) => (one?.panel !== panel || one.vertex < v ? one : one.vertex === v ? null : { panel, vertex: one.vertex - 1 });
  state.root = kept(state.root);
  state.looked = state.chosen = state.tapped = null;
  edit(panel, ({ n, edges, names, labels }, place) => {
    const without = (list) => list && list.filter((_, u) => u !== v);
    const moved = (u) => (u > v ? u - 1 : u);
    const others = edges.filter((edge) => !edge.includes(v)).map((edge) => edge.map(moved));
    return { n: n - 1, edges: others, names: without(names), labels: without(labels), place: without(place) };
  });
}

const nameOf = (panel, v) => (state.graphs[panel].graph.names ? state.graphs[panel].graph.names[v] : v);

/** Number of a vertex in the union of both graphs, and back. */
const inUnion = (panel, v) => (panel === 0 ? v : v + state.graphs[0].graph.n);
function fromUnion(u) {
  const split = state.graphs[0].graph.n;
  return u < split ? { panel: 0, vertex: u } : { panel: 1, vertex: u - split };
}

function recolour() {
  const [first, second] = state.graphs.map((one) => one?.graph);
  const atEnd = state.round === Infinity || state.round === state.colouring?.rounds.length - 1;
  state.colouring = new Colouring(second ? unionOf(first, second) : first, state.search, performance.now() + PATIENCE);
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
