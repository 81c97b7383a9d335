// The words of the charts.

export const strings = {
  logScale: "log scale",
  logarithmic: "Powers of ten at equal distances",
  lastValue: "Last value",
  rating: "Elo",
  noRating: "no rating",
  atLeast: (/** @type {string} */ elo) => `above ${elo}`,
  atMost: (/** @type {string} */ elo) => `below ${elo}`,
  dead: "dead",
  fromTo: (/** @type {string} */ name, /** @type {string} */ begin, /** @type {string} */ end) => `${name ? name + " f" : "F"}rom ${begin} to ${end}.`,
};
