"use strict";
// Local vertex colouring in the page: the rounds, stability and colour numbers of lvc.colouring.
// tests/viz/test_explorer.py compares every round with the library's.

/** All pairs (u, v) of one search, v the root, u in its ball. */
class Pairs {
  constructor(graph, part) {
    this.part = part;
    this.vertex = [];
    this.root = [];
    this.group = []; // number of the pair's η among this.eta, -1 at roots
    this.eta = []; // lists of pairs
    this.roles = []; // of the members of these lists
    this.balls = [];
    this.at = []; // of every root: vertex -> pair
    this.seen = Array.from({ length: graph.n }, () => []); // of every vertex: the pairs in which it is not the root
    for (let root = 0; root < graph.n; root++) this.#add(graph, root);
    this.members = laidFlat(this.eta);
    this.role = laidFlat(this.roles).flat;
    this.inner = Int32Array.from(this.group.keys()).filter((pair) => this.group[pair] >= 0);
    this.flatSeen = laidFlat(this.seen);
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
        this.eta.push(members.map(({ vertex }) => at.get(vertex)));
        this.roles.push(members.map(({ role }) => role));
      }
      this.group.push(groups.get(members));
      this.seen[u].push(pair);
    }
    this.balls.push(ball);
    this.at.push(at);
  }

  /** φ: new colours of the pairs that are no roots (0 at roots), and how many there are. */
  phi(vertex, before) {
    const colours = this.members.flat.map((pair, k) => 3 * before[pair] + this.role[k]);
    const multiset = numberRows(this.members.start, colours);
    const own = this.inner.map((pair) => vertex[this.vertex[pair]]);
    const { number, count } = numberPairs(own, this.inner.map((pair) => multiset[this.group[pair]]));
    const after = new Int32Array(this.vertex.length);
    this.inner.forEach((pair, i) => (after[pair] = number[i]));
    return { after, count };
  }
}

/** ρ: own colour and the multiset of what is seen. */
function rho(own, seen, colour) {
  const { number, count } = numberPairs(own, numberRows(seen.start, seen.flat.map((one) => colour[one])));
  return { after: number, count };
}

/** A refinement of one graph to the end: rounds[l] = {vertex, pairs: one array for each search}. */
class Colouring {
  /** With a deadline (of performance.now) it may end before it is stable; `stable` says so. */
  constructor(graph, search, deadline = Infinity) {
    this.graph = graph;
    this.deadline = deadline;
    this.stable = false;
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
    const around = laidFlat(this.graph.neighbours);
    for (;;) {
      const { vertex, classes } = this.rounds[this.rounds.length - 1];
      const { after, count } = rho(vertex, around, vertex);
      if (count === classes) return void (this.stable = true);
      this.rounds.push({ vertex: after, classes: count, pairs: [] });
      if (performance.now() > this.deadline) return;
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
        const { after, count } = rho(vertex, pairs.flatSeen, found[s].after);
        [vertex, classes] = [after, count];
        counts.push(count, found[s].count);
      });
      const shifted = found.map(({ after }, s) =>
        after.map((colour, pair) => (this.pairs[s].group[pair] < 0 ? vertex[this.pairs[s].vertex[pair]] : colour + classes)),
      );
      if (counts.join() === before) return void (this.stable = true);
      before = counts.join();
      this.rounds.push({ vertex, classes, pairs: shifted });
      if (performance.now() > this.deadline) return;
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
    const group = pairs.group[pair];
    const members = group < 0 ? [] : pairs.eta[group];
    const named = members.map((member, i) => ({ colour: before.pairs[s][member], pair: member, role: pairs.roles[group][i] }));
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
