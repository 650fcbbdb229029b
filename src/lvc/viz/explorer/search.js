"use strict";
// Searches in the page: the balls, blocks and η of lvc.search.

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
