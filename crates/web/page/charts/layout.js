// Where labels go, so that none lies on another.

/**
 * Moves labels apart vertically, each as little as can be, within the room that there is.
 * @param {number[]} wanted where each would like to be
 * @param {number} height of a label
 * @param {number} top of the room
 * @param {number} bottom of the room
 * @returns {number[]} in the same order
 */
export function apart(wanted, height, top, bottom) {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b]);
  /** Groups of labels that touch: their members, and where the first of them is. @type {{ members: number[], at: number }[]} */
  const groups = [];
  const settle = (/** @type {number[]} */ members) => {
    const mean = members.reduce((sum, index, place) => sum + wanted[index] - place * height, 0) / members.length;
    const last = bottom - (members.length - 1) * height;
    return Math.max(top, Math.min(mean, last));
  };
  for (const index of order) {
    groups.push({ members: [index], at: settle([index]) });
    while (groups.length > 1) {
      const [above, below] = groups.slice(-2);
      if (above.at + above.members.length * height <= below.at + 1e-9) break;
      const members = [...above.members, ...below.members];
      groups.splice(-2, 2, { members, at: settle(members) });
    }
  }
  const places = new Array(wanted.length);
  for (const { members, at } of groups) members.forEach((index, place) => (places[index] = at + place * height));
  return places;
}

/** The width of a letter of the charts' font, about. */
const LETTER = 5.9;

/**
 * About how wide a text is.
 * @param {string} text
 */
export function widthOf(text) {
  return text.length * LETTER;
}

/**
 * A text that fits, cut off with a dot if need be.
 * @param {string} text
 * @param {number} width
 */
export function fitted(text, width) {
  const letters = Math.max(3, Math.floor(width / LETTER));
  return text.length <= letters ? text : text.slice(0, letters - 1).trimEnd() + "…";
}

/**
 * Which ticks of an axis to the right have room for their labels.
 * @param {number[]} places in pixels
 * @param {string[]} labels
 * @returns {boolean[]}
 */
export function withRoom(places, labels) {
  let end = -Infinity;
  return places.map((place, index) => {
    const half = widthOf(labels[index]) / 2;
    if (place - half < end + 6) return false;
    end = place + half;
    return true;
  });
}

/**
 * The point of a line that is nearest to a place of the axis to the right.
 * @param {[number, number][]} points in the order of their first numbers
 * @param {number} right
 * @returns {number} its index, −1 if there is none
 */
export function nearest(points, right) {
  if (points.length === 0) return -1;
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < right) low = middle + 1;
    else high = middle;
  }
  return low > 0 && right - points[low - 1][0] <= points[low][0] - right ? low - 1 : low;
}

/**
 * Fewer points that look the same: of each stretch the lowest and the highest are kept.
 * @param {[number, number][]} points
 * @param {number} most
 * @returns {number[]} the places of those that are kept
 */
export function thinned(points, most) {
  if (points.length <= most) return points.map((_, index) => index);
  const kept = new Set([0, points.length - 1]);
  const stretch = points.length / (most / 2);
  for (let begin = 0; begin < points.length; begin += stretch) {
    const end = Math.min(points.length, Math.ceil(begin + stretch));
    let [low, high] = [Math.floor(begin), Math.floor(begin)];
    for (let index = Math.floor(begin); index < end; index += 1) {
      if (points[index][1] < points[low][1]) low = index;
      if (points[index][1] > points[high][1]) high = index;
    }
    kept.add(low).add(high);
  }
  return [...kept].sort((a, b) => a - b);
}
