import { grown } from './grown.ts';

const ROOT = 0;

/**
 * Sequences of words as the nodes of a tree: a node is its parent and one more word. Nodes are numbered in order of
 * arrival behind the root, and found by a hash of the pair, so that no string is built for a sequence that is known.
 */
export class Grams {
  size = 1;
  private parents: Int32Array = new Int32Array(64);
  private words: Int32Array = new Int32Array(64);
  private slots: Int32Array = new Int32Array(128); // node, or 0 where nothing is
  private found: Int32Array = new Int32Array(256);

  /** The node of `parent` followed by `word`; an unknown one is added, or −1. */
  child(parent: number, word: number, add: boolean): number {
    const { slots, parents, words } = this;
    const mask = slots.length - 1;
    let slot = place(parent, word) & mask;
    for (let node = slots[slot]; node !== 0; node = slots[(slot = (slot + 1) & mask)]) {
      if (parents[node] === parent && words[node] === word) return node;
    }
    if (!add) return -1;
    const node = this.size++;
    slots[slot] = node;
    this.parents = grown(parents, node + 1);
    this.words = grown(words, node + 1);
    this.parents[node] = parent;
    this.words[node] = word;
    if (this.size * 2 > slots.length) this.spread();
    return node;
  }

  /** The nodes of all runs of `lowest` to `highest` words; −1 for a run that is not known. The view lasts until the next call. */
  read(ids: Int32Array, lowest: number, highest: number, add: boolean): Int32Array {
    const longest = Math.min(highest, ids.length); // a file may ask for any length, and no run is longer than its document
    this.found = grown(this.found, ids.length * Math.max(0, longest - lowest + 1));
    const { found } = this;
    let count = 0;
    for (let i = 0; i < ids.length; i++) {
      let node = ROOT;
      for (let n = 1; n <= longest && i + n <= ids.length; n++) {
        const word = ids[i + n - 1];
        if (node >= 0) node = word < 0 ? -1 : this.child(node, word, add);
        if (n >= lowest) found[count++] = node;
      }
    }
    return found.subarray(0, count);
  }

  /** The words of a node, first word first. */
  path(node: number): number[] {
    const words: number[] = [];
    for (let at = node; at !== ROOT; at = this.parents[at]) words.push(this.words[at]);
    return words.reverse();
  }

  private spread(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let node = 1; node < this.size; node++) {
      let slot = place(this.parents[node], this.words[node]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = node;
    }
    this.slots = slots;
  }
}

function place(parent: number, word: number): number {
  const hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(word, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
