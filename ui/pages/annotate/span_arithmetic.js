// Arithmetic of text spans: [start, end] in code points, as in Python; JavaScript's own string offsets count
// UTF-16 units.
const NUMBER =
  /(?<![A-Za-z])(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:[.,]\d+)*)/g;
const WORD = /\S+/g;
const MOST_STOPS = 400;

export const codePointLength = (text) => Array.from(text).length;
export const codePointOffset = (text, units) => codePointLength(text.slice(0, units));
export const codePointSlice = (text, start, end) => Array.from(text).slice(start, end).join("");

// Keyboard stops in a text: its numbers and times, or its words if it has none.
export function keyboardStops(text, most = MOST_STOPS) {
  const found = [...text.matchAll(NUMBER)];
  const taken = (found.length ? found : [...text.matchAll(WORD)]).slice(0, most);
  let units = 0,
    points = 0;
  return taken.map((one) => {
    points += codePointLength(text.slice(units, one.index));
    units = one.index;
    return { start: points, end: points + codePointLength(one[0]), text: one[0], number: found.length > 0 };
  });
}

export const overlaps = (a, b) => a[0] < b[1] && b[0] < a[1];

// Add a span, merging it with those it overlaps.
export function mergeSpan(spans, added) {
  const touched = spans.filter((one) => overlaps(one, added));
  const whole = [
    Math.min(added[0], ...touched.map((s) => s[0])),
    Math.max(added[1], ...touched.map((s) => s[1])),
  ];
  return [...spans.filter((one) => !overlaps(one, added)), whole].sort((a, b) => a[0] - b[0]);
}

// Extend a span by one word to the left (-1) or right (1).
export function extendSpan(text, [start, end], direction) {
  const points = Array.from(text),
    space = (at) => /\s/.test(points[at]);
  if (direction > 0) {
    while (end < points.length && space(end)) end += 1;
    while (end < points.length && !space(end)) end += 1;
  } else {
    while (start > 0 && space(start - 1)) start -= 1;
    while (start > 0 && !space(start - 1)) start -= 1;
  }
  return [start, end];
}

export function trimSpan(text, [start, end]) {
  const points = Array.from(text);
  while (start < end && /\s/.test(points[start])) start += 1;
  while (end > start && /\s/.test(points[end - 1])) end -= 1;
  return [start, end];
}
