"use strict";
// The pictures, with d3: vertices, edges, captions, the verdict.

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
  const ball = state.root?.panel === panel.i ? ballOfRoot() : null; // the other graph is not searched
  const distance = (v) => (ball ? ball.distance[inUnion(panel.i, v)] : -1);
  const outside = (v) => ball !== null && distance(v) < 0;
  const unlike = new Set(unlikeHere().flatMap((one) => (panel.i === 0 ? one.first : one.second)));
  const small = graph.n > 60;
  panel.vertices.classed("small", small);
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
    group.select(".colour").text(colour === null ? "" : colour).attr("fill", colour === null ? "" : inkOf(colour));
    const far = ball && distance(v) >= 0 ? ` d=${distance(v)}` : "";
    group.select(".name").attr("x", small ? 8 : 16).attr("y", small ? -7 : -13).text(`${nameOf(panel.i, v)}${far}`);
  });
  d3.select(panel.figure).select("figcaption").text(captionOf(panel.i));
  if (panel.written !== graph) d3.select(panel.figure).select("textarea").node().value = writeGraph(graph);
  panel.written = graph; // what somebody types is not overwritten until the graph is another one
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
  groups.on("click", (v) => (d3.event.stopPropagation(), press(panel.i, v, d3.event.pointerType === "touch")))
    .on("mouseenter focus", (v) => look(panel.i, v))
    .on("mouseleave blur", lookAtFocused)
    .on("keydown", (v) => keyOnVertex(panel.i, v, d3.event));
  return groups.call(drag.on("drag", (v) => moveTo(panel, v, [d3.event.x, d3.event.y]))
    .on("end", renderLooked)
    .subject((v) => ({ x: state.graphs[panel.i].place[v][0], y: state.graphs[panel.i].place[v][1] })));
}

/** Move one vertex: only it and its edges are drawn anew. */
function moveTo(panel, v, at) {
  state.graphs[panel.i].place[v] = [Math.max(10, Math.min(WIDTH - 10, at[0])), Math.max(10, Math.min(HEIGHT - 10, at[1]))];
  panel.arrows.selectAll("*").remove();
  settle(panel, (u) => u === v);
}

/** Put everything, or what belongs to some vertices, where it stands. */
function settle(panel, belongs = () => true) {
  const { place } = state.graphs[panel.i];
  panel.edges.selectAll("line").filter((edge) => edge.some(belongs))
    .attr("x1", ([u]) => place[u][0]).attr("y1", ([u]) => place[u][1])
    .attr("x2", ([, v]) => place[v][0]).attr("y2", ([, v]) => place[v][1]);
  panel.vertices.selectAll("g.vertex").filter(belongs).attr("transform", (v) => `translate(${place[v]})`);
}

function captionOf(i) {
  const { graph } = state.graphs[i];
  const { vertex } = state.colouring.rounds[state.round];
  const own = new Set(vertex.slice(inUnion(i, 0), inUnion(i, 0) + graph.n));
  const searched = state.root?.panel === i && !state.colouring.isWl ? "; green edges lead away from the root" : "";
  return `${verticesOf(graph.n)}, ${count(graph.edges.length, "edge")}, ${count(own.size, "colour")}${searched}`;
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
const verticesOf = (number) => (number === 1 ? "1 vertex" : `${number} vertices`);

function renderRound() {
  const last = state.colouring.rounds.length - 1;
  Object.assign(byId("round"), { max: last, value: state.round });
  byId("back").disabled = state.round === 0;
  byId("forth").disabled = state.round === last;
  const end = state.colouring.stable ? ", stable" : ", given up: lvc colour goes on";
  byId("roundtext").textContent = `round ${state.round} of ${last}${state.round === last ? end : ""}`;
}

const unlikeHere = () => (state.graphs[1] ? differences(state.colouring.rounds[state.round].vertex, state.split) : []);

function renderVerdict() {
  const search = state.colouring.parts.map((part) => part.text).join("+");
  const verdict = byId("verdict");
  if (!state.graphs[1]) {
    verdict.textContent = "";
  } else if (state.apart < 0 && !state.colouring.stable) {
    verdict.textContent = `${search}: no difference up to round ${state.colouring.rounds.length - 1}, where this page gave up; lvc compare goes on.`;
  } else if (state.apart < 0) {
    verdict.textContent = `${search} does not tell the two graphs apart: in every round both have the same colours equally often.`;
  } else if (state.round < state.apart) {
    verdict.textContent = `${search}: no difference yet; in round ${state.apart} they are told apart.`;
  } else {
    const { colour, first, second } = differences(state.colouring.rounds[state.apart].vertex, state.split)[0];
    const where = `there colour ${colour} is on ${verticesOf(first.length)} of the first graph and ${second.length} of the second`;
    verdict.textContent = `Told apart by ${search} in round ${state.apart}: ${where}.`;
  }
}
