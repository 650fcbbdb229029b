"use strict";
// Equal signatures get equal numbers, in order of first appearance, as in lvc.colouring.classes.

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

/** Numbers of the pairs (first[i], second[i]), in order of first appearance. */
function numberPairs(first, second) {
  const numbers = numbering();
  const span = second.reduce((most, one) => Math.max(most, one), 0) + 1;
  const number = first.map((one, i) => numbers.of(one * span + second[i]));
  return { number, count: numbers.count };
}

/** Numbers of the multisets value[start[i]..start[i + 1]], which are sorted in place; a hash says where to look. */
function numberRows(start, value) {
  const rows = start.length - 1;
  const mask = 2 ** Math.ceil(Math.log2(2 * rows + 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const number = new Int32Array(rows);
  const known = []; // a row that has this number
  const isSame = (i, j) => {
    const shift = start[j] - start[i];
    if (start[i + 1] - start[i] !== start[j + 1] - start[j]) return false;
    for (let k = start[i]; k < start[i + 1]; k++) if (value[k] !== value[k + shift]) return false;
    return true;
  };
  for (let i = 0; i < rows; i++) {
    sortPart(value, start[i], start[i + 1]);
    let hash = start[i + 1] - start[i];
    for (let k = start[i]; k < start[i + 1]; k++) hash = Math.imul(hash ^ value[k], 0x9e3779b1) ^ (hash >>> 15);
    let slot = (hash ^ (hash >>> 16)) & mask;
    while (table[slot] >= 0 && !isSame(i, known[table[slot]])) slot = (slot + 1) & mask;
    if (table[slot] < 0) table[slot] = known.push(i) - 1;
    number[i] = table[slot];
  }
  return number;
}

function sortPart(value, from, to) {
  if (to - from > 24) return void value.subarray(from, to).sort();
  for (let i = from + 1; i < to; i++) {
    const one = value[i];
    let k = i - 1;
    for (; k >= from && value[k] > one; k--) value[k + 1] = value[k];
    value[k + 1] = one;
  }
}

/** Lists one behind the other: list i is flat[start[i]..start[i + 1]]. */
function laidFlat(lists) {
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => (start[i + 1] = start[i] + list.length));
  const flat = new Int32Array(start[lists.length]);
  lists.forEach((list, i) => flat.set(list, start[i]));
  return { start, flat };
}
