"use strict";
// What made a colour, and η, of the vertex somebody looks at.

function look(panel, vertex) {
  state.looked = panel === null ? null : { panel, vertex };
  renderLooked();
}

/** Nobody points at a vertex any more: back to the one that has the focus, if one has. */
function lookAtFocused() {
  const group = document.activeElement?.closest("g.vertex");
  if (!group) return look(null);
  look(panels.findIndex((panel) => panel.figure.contains(group)), d3.select(group).datum());
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
    panel.vertices.selectAll("g.vertex").classed("eta", false).classed("same", (v) => hasColourOf(state.looked, panel.i, v));
  });
  if (!focus) {
    recipe.append("p").attr("class", "quiet").text("Look at a vertex to see what made its colour.");
    return;
  }
  renderRecipe(recipe, focus);
  if (!state.looked || !state.root || state.colouring.isWl) return;
  const shown = new Set(state.colouring.pairs.flatMap((_, s) => renderEta(eta.append("div"), s, focus)));
  panels[focus.panel].vertices.selectAll("g.vertex").classed("eta", (v) => shown.has(v));
  drawArrows(focus, [...shown]);
}

/** Whether a vertex has the same colour as the one somebody looks at; large graphs have more colours than fills. */
function hasColourOf(looked, panel, v) {
  if (!looked || state.graphs.every((one) => !one || one.graph.n <= 60)) return false;
  const { vertex } = state.colouring.rounds[state.round];
  return vertex[inUnion(looked.panel, looked.vertex)] === vertex[inUnion(panel, v)];
}

function renderRecipe(into, { panel, vertex }) {
  const u = inUnion(panel, vertex);
  const made = state.colouring.vertexRecipe(u, state.round);
  const which = state.graphs[1] ? ` of the ${panel ? "second" : "first"} graph` : "";
  const title = into.append("h2").text(`${state.looked ? "Vertex" : "For example, vertex"} ${nameOf(panel, vertex)}${which} has `);
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
    const root = round > 1 && state.colouring.isRoot(s, one.pair); // in round 0 a root looked like everybody else
    into.append("span").text(`${i ? ", " : ""}${one.times > 1 ? `${one.times} × ` : ""}${root ? "root " : ""}`);
    addDot(into, one.colour, !root && round > 1);
    into.append("span").text(role);
  });
  if (seen.length) into.append("span").text(seen.length > MOST_LISTED ? ", … }}" : " }}");
}

function addDot(into, colour, isPair = false) {
  into.append("span").attr("class", isPair ? "dot pair" : "dot").style("background", fillOf(colour)).style("color", inkOf(colour)).text(colour);
}

/** η of a vertex under one part of the search, in words; returns its members, vertices of the same graph. */
function renderEta(into, s, { panel, vertex }) {
  const pairs = state.colouring.pairs[s];
  const root = inUnion(state.root.panel, state.root.vertex);
  const pair = pairs.at[root].get(inUnion(panel, vertex));
  const from = nameOf(state.root.panel, state.root.vertex);
  into.append("h2").text(`η of vertex ${nameOf(panel, vertex)} in the search from ${from} (${pairs.part.text})`);
  const say = (text) => into.append("p").attr("class", "members").text(text);
  if (pair === undefined) say("outside the ball");
  else if (pairs.group[pair] < 0) say("The root: its pair colour is its own colour.");
  if (pair === undefined || pairs.group[pair] < 0) return [];
  const members = pairs.eta[pairs.group[pair]].map((member) => fromUnion(pairs.vertex[member]).vertex).sort((a, b) => a - b);
  say(members.length ? members.map((v) => nameOf(panel, v)).join(" ") : "empty");
  if (state.round > 0) addPair(into.append("p"), s, pair, state.round);
  return members;
}

function drawArrows({ panel, vertex }, members) {
  const { place } = state.graphs[panel];
  for (const w of members.filter((v) => v !== vertex)) {
    const arrow = panels[panel].arrows.append("path").attr("class", "arrow").attr("marker-end", `url(#arrow${panel})`);
    arrow.attr("d", arrowPath(place[w], place[vertex]));
  }
}

/** A slightly bent way from one vertex to the rim of another. */
function arrowPath([x, y], [a, b]) {
  const length = Math.hypot(a - x, b - y) || 1;
  const end = [a - (18 * (a - x)) / length, b - (18 * (b - y)) / length];
  const bend = [(x + a) / 2 + 0.12 * (b - y), (y + b) / 2 - 0.12 * (a - x)];
  return `M${x} ${y}Q${bend[0]} ${bend[1]} ${end[0]} ${end[1]}`;
}
