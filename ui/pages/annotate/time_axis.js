// Ticks of a time axis at full hours, days or months as a clinician reads them. Times are local and without a zone.
const MINUTE_MS = 60000;
const DAY = 1440;
const STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 182 * DAY, 365 * DAY];

const asText = (ms) => new Date(ms).toISOString();

// At most `most` ticks from `first` (YYYY-MM-DD HH:MM:SS) over `minutes`; each has its `minutes` after the first,
// and `clock` and `date` as text: the date where it changes, the clock unless ticks are days apart.
export function timeTicks(first, minutes, most) {
  const start = Date.parse(`${first.replace(" ", "T")}Z`);
  const step = STEPS.find((one) => minutes / one <= most) || Math.ceil(minutes / most / DAY) * DAY;
  const from = Math.ceil(start / (step * MINUTE_MS)) * step * MINUTE_MS;
  const ticks = [];
  let day = null;
  for (let at = from; at <= start + minutes * MINUTE_MS; at += step * MINUTE_MS) {
    const text = asText(at),
      date = text.slice(0, 10);
    ticks.push({
      minutes: (at - start) / MINUTE_MS,
      clock: step < DAY ? text.slice(11, 16) : "",
      date: date === day ? "" : date,
    });
    day = date;
  }
  return ticks;
}
