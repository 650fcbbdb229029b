"use strict";
// Graphs as texts: edge lists and graph6, by the rules of lvc.formats; what it refuses is refused here, in one sentence.

const MOST_VERTICES = 400;

/** A graph from its edges [[u, v]]; names and labels may be null. */
function makeGraph(n, edges, names = null, labels = null) {
  if (n > MOST_VERTICES) throw new BadInput(`this page draws up to ${MOST_VERTICES} vertices, and this graph has ${n}`);
  const nameOf = (v) => (names ? names[v] : v);
  const neighbours = Array.from({ length: n }, () => []);
  const once = new Set();
  for (const [u, v] of edges) {
    if (u === v) throw new BadInput(`vertex ${nameOf(u)} has an edge to itself; leave it out`);
    const key = u < v ? `${u} ${v}` : `${v} ${u}`;
    if (once.has(key)) throw new BadInput(`the edge ${nameOf(u)} ${nameOf(v)} stands there twice; write it once`);
    once.add(key);
    neighbours[u].push(v);
    neighbours[v].push(u);
  }
  for (const list of neighbours) list.sort((a, b) => a - b);
  return { n, edges: edges.map(([u, v]) => [Math.min(u, v), Math.max(u, v)]), neighbours, names, labels };
}

/** A graph from a text: graph6 if it is one line without gaps, else an edge list. */
function readGraph(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const written = lines.filter((line) => line && line !== ">>graph6<<");
  if (written.length === 1 && !/[\s,]/.test(written[0]) && !/^[#%]/.test(written[0])) {
    return readGraph6(written[0].replace(/^(graph6:|>>graph6<<)/, ""));
  }
  return readEdgeList(lines);
}

function readEdgeList(lines) {
  const rows = [];
  let stated = null;
  lines.forEach((line, i) => {
    if (!line) return;
    if (/^[#%]/.test(line)) {
      if (/^[#%]\s*vertices:/i.test(line)) stated = readCounts(line, i + 1, stated === null && !rows.length);
      return;
    }
    const words = line.split(/[\s,]+/);
    if (words.length !== 2) throw new BadInput(`line ${i + 1}: an edge is two vertices, got "${line.slice(0, 40)}"`);
    rows.push(words);
  });
  if (!rows.length && stated === null) throw new BadInput("there is no graph in this text; write one edge a line, e.g. 0 1");
  if (stated !== null && (stated.edges ?? rows.length) !== rows.length) {
    throw new BadInput(`${count(stated.edges, "edge")} stated, and there are ${rows.length}`);
  }
  return rows.flat().every(isNumber) ? numbered(rows, stated) : named(rows, stated);
}

const isNumber = (word) => /^(0|[1-9][0-9]{0,17})$/.test(word);

/** "# vertices: 6 edges: 2" */
function readCounts(line, number, first) {
  const found = /^[#%]\s*vertices:\s*(\d+)(?:\s+edges:\s*(\d+))?\s*$/i.exec(line);
  if (!found) throw new BadInput(`line ${number}: write "# vertices: 6" or "# vertices: 6 edges: 2", got "${line.slice(0, 40)}"`);
  if (!first) throw new BadInput(`line ${number}: counts stand once, before the first edge`);
  return { vertices: Number(found[1]), edges: found[2] === undefined ? null : Number(found[2]) };
}

function numbered(rows, stated) {
  const edges = rows.map((row) => row.map(Number));
  const n = edges.reduce((most, row) => Math.max(most, row[0] + 1, row[1] + 1), 0);
  if (stated !== null && stated.vertices < n) {
    throw new BadInput(`${verticesOf(stated.vertices)} stated, and there is a vertex ${n - 1}`);
  }
  return makeGraph(stated?.vertices ?? n, edges);
}

/** Names are numbered as they first appear; numbers that cannot be vertices are no names. */
function named(rows, stated) {
  if (rows.length > 1 && !rows[0].every(isNumber) && rows.slice(1).flat().every(isNumber)) {
    throw new BadInput("the first line looks like column names; put # in front of it");
  }
  const stray = rows.flat().find((word) => /^([+-]\d+|[+-]?(\d+\.\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity))$/i.test(word));
  if (stray !== undefined) throw new BadInput(`${stray} is no vertex; number them 0, 1, 2, ... or give them names`);
  const number = new Map();
  const edges = rows.map((row) => row.map((name) => number.set(name, number.get(name) ?? number.size).get(name)));
  if (stated !== null && stated.vertices !== number.size) {
    throw new BadInput(`${verticesOf(stated.vertices)} stated, and the edges name ${number.size}`);
  }
  return makeGraph(number.size, edges, [...number.keys()]);
}

function readGraph6(text) {
  const values = [...text].map((letter) => letter.charCodeAt(0) - 63);
  const wrong = values.findIndex((value) => value < 0 || value > 63);
  if (wrong >= 0) throw new BadInput(`"${text[wrong]}" cannot be part of a graph6 text; write one edge a line, or graph6`);
  let n = values.shift() ?? -1;
  if (n === 63) n = values.length >= 3 && values[0] < 63 ? values.splice(0, 3).reduce((sum, value) => 64 * sum + value, 0) : MOST_VERTICES + 1;
  if (n < 1 || n > MOST_VERTICES) throw new BadInput(`a graph6 text of 1 to ${MOST_VERTICES} vertices is needed`);
  const pairs = (n * (n - 1)) / 2;
  if (values.length !== Math.ceil(pairs / 6)) {
    throw new BadInput(`a graph6 text of ${n} vertices has ${Math.ceil(pairs / 6)} letters behind its size, got ${values.length}`);
  }
  const edges = [];
  let bit = 0;
  for (let v = 1; v < n; v++) {
    for (let u = 0; u < v; u++, bit++) {
      if ((values[Math.floor(bit / 6)] >> (5 - (bit % 6))) & 1) edges.push([u, v]);
    }
  }
  return makeGraph(n, edges);
}

/** The edge list of a graph, so that reading it gives the graph again; a vertex without edges can have no name there. */
function writeGraph(graph) {
  const isolated = graph.n === 0 || graph.neighbours.some((list) => !list.length);
  const nameOf = (v) => (graph.names && !isolated ? graph.names[v] : v);
  const head = isolated ? [`# vertices: ${graph.n}`] : [];
  return [...head, ...graph.edges.map(([u, v]) => `${nameOf(u)} ${nameOf(v)}`)].join("\n");
}
