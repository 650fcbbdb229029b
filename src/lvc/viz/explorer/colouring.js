"use strict";
// Local vertex colouring in the page: the searches, rounds, stability and colour numbers of lvc.colouring.
// tests/viz/test_explorer.py compares every round with the library's.

class BadInput extends Error {}

/** "bfs:2+dfs:1" -> [{kind, radius, text}], each search once. */
function parseSearch(text) {
  const whole = text.trim().toLowerCase();
  if (whole === "wl") return [{ kind: "wl", radius: 1, text: "wl" }];
  const parts = new Map();
  for (const word of whole.split("+").map((part) => part.trim())) {
    const found = /^(bfs|dfs|levels):(inf|[0-9]{1,9})$/.exec(word);
    if (!found) {
      const known = "write bfs:R, dfs:R or levels:R (R a number or inf), a sum of these, or wl";
      const elsewhere = /^(nest|pick|fwl2)/.test(word) ? "; the command lvc compare knows this one" : "";
      throw new BadInput(`this page does not know the search "${word}"; ${known}${elsewhere}`);
    }
    const radius = found[2] === "inf" ? Infinity : Number(found[2]);
    if (radius < 1) throw new BadInput(`radius must be at least 1, got ${radius}`);
    const text = `${found[1]}:${found[2] === "inf" ? "inf" : radius}`;
    parts.set(text, { kind: found[1], radius, text });
  }
  return [...parts.values()];
}

/** The ball of a root: its vertices in order of discovery, and everyone's distance (-1 outside). */
function ballOf(graph, root, radius) {
  const distance = new Int32Array(graph.n).fill(-1);
  const vertices = [root];
  distance[root] = 0;
  for (let i = 0; i < vertices.length; i++) {
    const u = vertices[i];
    if (distance[u] >= radius) break;
    for (const w of graph.neighbours[u]) {
      if (distance[w] >= 0) continue;
      distance[w] = distance[u] + 1;
      vertices.push(w);
    }
  }
  return { root, vertices, distance };
}

/** Biconnected components of the ball, bridges included (as components of two vertices): Hopcroft and Tarjan. */
function blocksOf(graph, ball) {
  const inside = (w) => ball.distance[w] >= 0;
  const time = new Int32Array(graph.n).fill(-1);
  const low = new Int32Array(graph.n);
  const next = new Int32Array(graph.n);
  const path = [ball.root];
  const waiting = []; // edges of components that are not complete yet
  const blocks = [];
  let clock = 0;
  time[ball.root] = low[ball.root] = clock++;
  while (path.length) {
    const u = path[path.length - 1];
    const parent = path.length > 1 ? path[path.length - 2] : -1;
    if (next[u] < graph.neighbours[u].length) {
      const w = graph.neighbours[u][next[u]++];
      if (!inside(w) || w === parent) continue;
      if (time[w] < 0) {
        waiting.push([u, w]);
        time[w] = low[w] = clock++;
        path.push(w);
      } else if (time[w] < time[u]) {
        waiting.push([u, w]);
        low[u] = Math.min(low[u], time[w]);
      }
      continue;
    }
    path.pop();
    if (parent < 0) continue;
    low[parent] = Math.min(low[parent], low[u]);
    if (low[u] < time[parent]) continue;
    const members = new Set();
    for (;;) {
      const [a, b] = waiting.pop();
      members.add(a).add(b);
      if (a === parent && b === u) break;
    }
    blocks.push([...members]);
  }
  return blocks;
}

/** η of every vertex of a ball except its root: {u: [{vertex, role}]}; equal η share one array. */
function etaOf(graph, ball, kind) {
  const { distance, root } = ball;
  const eta = new Map();
  if (kind === "dfs") {
    const home = new Map(ball.vertices.map((u) => [u, []]));
    for (const block of blocksOf(graph, ball)) {
      if (block.length > 2) {
        const whole = block.map((vertex) => ({ vertex, role: 0 }));
        for (const u of block) home.get(u).push(whole);
      } else {
        const [near, far] = distance[block[0]] < distance[block[1]] ? block : [block[1], block[0]];
        home.get(far).push([{ vertex: near, role: 0 }]);
      }
    }
    for (const u of ball.vertices) if (u !== root) eta.set(u, joinedOnce(home.get(u)));
    return eta;
  }
  for (const u of ball.vertices) {
    if (u === root) continue;
    const around = graph.neighbours[u].filter((w) => distance[w] >= 0);
    const seen = kind === "bfs" ? around.filter((w) => distance[w] < distance[u]) : around;
    const role = (w) => (kind === "bfs" ? 0 : 1 + distance[w] - distance[u]); // parent 0, sibling 1, child 2
    eta.set(u, seen.map((vertex) => ({ vertex, role: role(vertex) })));
  }
  return eta;
}

function joinedOnce(lists) {
  if (lists.length === 1) return lists[0];
  return [...new Map(lists.flat().map((one) => [one.vertex, one])).values()];
}

/** Numbers in order of first appearance. */
function numbering() {
  const known = new Map();
  return {
    of(key) {
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key);
    },
    get count() {
      return known.size;
    },
  };
}

/** All pairs (u, v) of one search, v the root, u in its ball. */
class Pairs {
  constructor(graph, part) {
    this.part = part;
    this.vertex = [];
    this.root = [];
    this.group = []; // number of the pair's η among this.eta, -1 at roots
    this.eta = []; // lists of {pair, role}
    this.balls = [];
    this.at = []; // of every root: vertex -> pair
    this.seen = Array.from({ length: graph.n }, () => []); // of every vertex: the pairs in which it is not the root
    for (let root = 0; root < graph.n; root++) this.#add(graph, root);
  }

  #add(graph, root) {
    const ball = ballOf(graph, root, this.part.radius);
    const eta = etaOf(graph, ball, this.part.kind);
    const at = new Map(ball.vertices.map((u, i) => [u, this.vertex.length + i]));
    const groups = new Map();
    for (const u of ball.vertices) {
      const pair = this.vertex.length;
      this.vertex.push(u);
      this.root.push(root);
      if (u === root) {
        this.group.push(-1);
        continue;
      }
      const members = eta.get(u);
      if (!groups.has(members)) {
        groups.set(members, this.eta.length);
        this.eta.push(members.map(({ vertex, role }) => ({ pair: at.get(vertex), role })));
      }
      this.group.push(groups.get(members));
      this.seen[u].push(pair);
    }
    this.balls.push(ball);
    this.at.push(at);
  }

  /** φ: new colours of the pairs that are no roots (0 at roots), and how many there are. */
  phi(vertex, before) {
    const multisets = numbering();
    const ofGroup = this.eta.map((members) => multisets.of(sorted(members.map((m) => 3 * before[m.pair] + m.role)).join()));
    const numbers = numbering();
    const after = new Int32Array(this.vertex.length);
    this.group.forEach((group, pair) => {
      if (group >= 0) after[pair] = numbers.of(`${vertex[this.vertex[pair]]};${ofGroup[group]}`);
    });
    return { after, count: numbers.count };
  }
}

const sorted = (numbers) => Int32Array.from(numbers).sort();

/** ρ: own colour and the multiset of what is seen. */
function rho(own, seen, colourOf) {
  const numbers = numbering();
  const after = Int32Array.from(own, (colour, u) => numbers.of(`${colour};${sorted(seen[u].map(colourOf)).join()}`));
  return { after, count: numbers.count };
}

/** A refinement of one graph to the end: rounds[l] = {vertex, pairs: one array for each search}. */
class Colouring {
  constructor(graph, search) {
    this.graph = graph;
    this.parts = parseSearch(search);
    const labels = graph.labels ?? new Array(graph.n).fill(0);
    const inOrder = [...new Set(labels)].sort((a, b) => a - b);
    const vertex = Int32Array.from(labels, (label) => inOrder.indexOf(label));
    this.isWl = this.parts[0].kind === "wl";
    this.pairs = this.isWl ? [] : this.parts.map((part) => new Pairs(graph, part));
    this.rounds = [{ vertex, classes: inOrder.length, pairs: this.pairs.map((p) => Int32Array.from(p.vertex, (u) => vertex[u])) }];
    if (this.isWl) this.#wl();
    else this.#search();
  }

  #wl() {
    for (;;) {
      const { vertex, classes } = this.rounds[this.rounds.length - 1];
      const { after, count } = rho(vertex, this.graph.neighbours, (w) => vertex[w]);
      if (count === classes) return;
      this.rounds.push({ vertex: after, classes: count, pairs: [] });
    }
  }

  #search() {
    let before = "";
    for (;;) {
      const now = this.rounds[this.rounds.length - 1];
      const counts = [];
      const found = this.pairs.map((pairs, s) => pairs.phi(now.vertex, now.pairs[s]));
      let vertex = now.vertex;
      let classes = 0;
      this.pairs.forEach((pairs, s) => {
        const { after, count } = rho(vertex, pairs.seen, (pair) => found[s].after[pair]);
        [vertex, classes] = [after, count];
        counts.push(count, found[s].count);
      });
      const shifted = found.map(({ after }, s) =>
        after.map((colour, pair) => (this.pairs[s].group[pair] < 0 ? vertex[this.pairs[s].vertex[pair]] : colour + classes)),
      );
      if (counts.join() === before) return;
      before = counts.join();
      this.rounds.push({ vertex, classes, pairs: shifted });
    }
  }

  /** What made the colour of u in a round: its own colour before, and one multiset for each search. */
  vertexRecipe(u, round) {
    if (round === 0) return null;
    const [before, now] = [this.rounds[round - 1], this.rounds[round]];
    const seen = this.isWl
      ? [counted(this.graph.neighbours[u].map((w) => ({ colour: before.vertex[w], pair: -1 })))]
      : this.pairs.map((pairs, s) => counted(pairs.seen[u].map((pair) => ({ colour: now.pairs[s][pair], pair }))));
    return { own: before.vertex[u], seen };
  }

  /** What made the colour of a pair in a round: the vertex's colour before, and the colours of its η. */
  pairRecipe(s, pair, round) {
    const pairs = this.pairs[s];
    const before = this.rounds[round - 1];
    const members = pairs.group[pair] < 0 ? [] : pairs.eta[pairs.group[pair]];
    const named = members.map((m) => ({ colour: before.pairs[s][m.pair], pair: m.pair, role: m.role }));
    return { own: before.vertex[pairs.vertex[pair]], seen: counted(named) };
  }

  isRoot(s, pair) {
    return this.pairs[s].group[pair] < 0;
  }
}

/** Equal ones together, with how often: [{colour, role, times, pair}], by colour. */
function counted(list) {
  const found = new Map();
  for (const one of list) {
    const key = `${one.colour};${one.role ?? 0}`;
    if (!found.has(key)) found.set(key, { ...one, times: 0 });
    found.get(key).times++;
  }
  return [...found.values()].sort((a, b) => a.colour - b.colour || (a.role ?? 0) - (b.role ?? 0));
}

/** Two graphs as one, the second behind the first. */
function unionOf(first, second) {
  const shift = (list) => list.map((w) => w + first.n);
  const label = (graph) => graph.labels ?? new Array(graph.n).fill(0);
  return {
    n: first.n + second.n,
    neighbours: [...first.neighbours, ...second.neighbours.map(shift)],
    labels: [...label(first), ...label(second)],
  };
}

/** The colours that first and second graph (the first `split` vertices and the rest) do not have equally often. */
function differences(vertex, split) {
  const members = new Map();
  vertex.forEach((colour, u) => {
    if (!members.has(colour)) members.set(colour, [[], []]);
    members.get(colour)[u < split ? 0 : 1].push(u < split ? u : u - split);
  });
  const unlike = [...members].filter(([, [first, second]]) => first.length !== second.length);
  return unlike.map(([colour, [first, second]]) => ({ colour, first, second })).sort((a, b) => a.colour - b.colour);
}

/** The first round in which the two differ, or -1. */
function firstDifference(colouring, split) {
  return colouring.rounds.findIndex(({ vertex }) => differences(vertex, split).length > 0);
}
