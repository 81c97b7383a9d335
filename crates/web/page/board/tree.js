// A tree of variations: nothing is lost by going back. Nodes never change their number.

/** @import { BoardText } from "../types.js" */

/**
 * @typedef {{ id: number, parent: number | null, move: string | null, side: string | null, children: number[] }} TreeNode
 * `side` is who made the move.
 */

export class Tree {
  /** @param {{ game: string, position: string, to_move?: string }} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map([[0, { id: 0, parent: null, move: null, side: null, children: [] }]]);
    this.next = 1;
  }

  /**
   * @param {number} id
   * @returns {TreeNode}
   */
  node(id) {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`there is no variation ${id}`);
    return node;
  }

  /**
   * The node after a move, which is made where it is missing.
   * @param {number} at
   * @param {string} move
   * @param {string | null} [side]
   * @returns {number}
   */
  play(at, move, side = null) {
    const parent = this.node(at);
    const known = parent.children.find((child) => this.node(child).move === move);
    if (known !== undefined) return known;
    const id = this.next++;
    this.nodes.set(id, { id, parent: at, move, side: side ?? this.sideAfter(parent), children: [] });
    parent.children.push(id);
    return id;
  }

  /**
   * Who moves after a node where two take turns; with more sides the server tells.
   * @param {TreeNode} parent
   */
  sideAfter({ side }) {
    if (side === null) return this.root.to_move ?? "x";
    return side === "x" ? "o" : "x";
  }

  /**
   * The nodes from the root to this one.
   * @param {number} id
   * @returns {TreeNode[]}
   */
  path(id) {
    const path = [];
    for (let node = this.nodes.get(id); node; node = node.parent === null ? undefined : this.nodes.get(node.parent)) path.push(node);
    return path.reverse();
  }

  /**
   * The path to this node, and its main line from there to the end.
   * @param {number} id
   * @returns {TreeNode[]}
   */
  line(id) {
    const line = this.path(id);
    for (let node = line[line.length - 1]; node.children.length > 0; ) {
      node = this.node(node.children[0]);
      line.push(node);
    }
    return line;
  }

  /**
   * The moves from the root to this node.
   * @param {number} id
   * @returns {string[]}
   */
  moves(id) {
    return this.path(id).slice(1).map((node) => /** @type {string} */ (node.move));
  }

  /**
   * A node as a board to ask about.
   * @param {number} id
   * @returns {BoardText}
   */
  board(id) {
    return { ...this.root, moves: this.moves(id) };
  }

  /**
   * Removes a node with all that follows.
   * @param {number} id not the root
   * @returns {number} its parent
   */
  remove(id) {
    const { parent } = this.node(id);
    if (parent === null) return id;
    const above = this.node(parent);
    above.children = above.children.filter((child) => child !== id);
    const gone = [id];
    for (const each of gone) {
      gone.push(...this.node(each).children);
      this.nodes.delete(each);
    }
    return parent;
  }

  /**
   * Makes the line to this node the main one.
   * @param {number} id
   */
  promote(id) {
    for (const { id: child, parent } of this.path(id)) {
      if (parent === null) continue;
      const above = this.node(parent);
      above.children = [child, ...above.children.filter((other) => other !== child)];
    }
  }

  /**
   * The variation above or below: another move at the nearest place back where there is one.
   * @param {number} id
   * @param {1 | -1} step
   * @returns {number}
   */
  sibling(id, step) {
    const depth = this.path(id).length;
    for (let node = this.node(id); node.parent !== null; node = this.node(node.parent)) {
      const others = this.node(node.parent).children;
      const other = others[others.indexOf(node.id) + step];
      if (other === undefined) continue;
      const line = this.line(other);
      return line[Math.min(depth, line.length) - 1].id;
    }
    return id;
  }

  /**
   * All nodes, each before those that follow it; the first child goes on, the others are variations written
   * after it, as in the text of a link.
   * @returns {number[]}
   */
  order() {
    /** @type {number[]} */
    const order = [];
    /** @param {number} id */
    const follow = (id) => {
      const [main, ...others] = this.node(id).children;
      if (main === undefined) return;
      order.push(main);
      for (const other of others) {
        order.push(other);
        follow(other);
      }
      follow(main);
    };
    order.push(0);
    follow(0);
    return order;
  }

  /** The moves as text: `a1a2.b1b2(c1c2.a2a3).b2c2`; a variation stands in parentheses after the move that it replaces. */
  text() {
    /**
     * @param {number} id
     * @returns {string[]}
     */
    const follow = (id) => {
      const [main, ...others] = this.node(id).children;
      if (main === undefined) return [];
      const variations = others.map((other) => `(${[this.node(other).move, ...follow(other)].join(".")})`);
      return [this.node(main).move + variations.join(""), ...follow(main)];
    };
    return follow(0).join(".");
  }

  /**
   * Plays what `text` wrote.
   * @param {string} text
   * @returns {number[]} the nodes in the order of `order`
   */
  read(text) {
    const order = [0];
    /** @type {number[]} */
    const opened = [];
    let at = 0;
    for (const [token] of text.matchAll(/[()]|[^().]+/g)) {
      if (token === "(") {
        opened.push(at);
        at = this.node(at).parent ?? 0;
      } else if (token === ")") {
        at = opened.pop() ?? at;
      } else {
        at = this.play(at, token);
        order.push(at);
      }
    }
    return order;
  }
}
