/** A close of a coin: `days` since the coin's first block, above 0; `usd` above 0. */
export interface Close {
  days: number
  usd: number
}

/** Where a close stands: the price that the trend gives for its day, and its band, 1 (cheapest) to 9 (dearest). */
export interface RainbowPoint {
  trend: number
  band: number
}

export const BANDS = 9

/**
 * The logarithmic regression of a rainbow chart: least squares of ln(price) over ln(age). Bands are half a standard
 * deviation of the residuals wide, the fifth of nine around the trend; the outer two hold all that is beyond.
 * Empty below three closes or without any spread of ages: no trend can be known then.
 */
export function rainbow(closes: readonly Close[]): RainbowPoint[] {
  const xs = closes.map(({ days }) => Math.log(days))
  const ys = closes.map(({ usd }) => Math.log(usd))
  const [meanX, meanY] = [mean(xs), mean(ys)]
  const spread = sum(xs.map((x) => (x - meanX) ** 2))
  if (closes.length < 3 || spread === 0) return []
  const slope = sum(xs.map((x, i) => (x - meanX) * (ys[i]! - meanY))) / spread
  const fitted = xs.map((x) => meanY + slope * (x - meanX))
  const residuals = ys.map((y, i) => y - fitted[i]!)
  const width = Math.sqrt(mean(residuals.map((residual) => residual ** 2))) / 2
  return fitted.map((ln, i) => ({ trend: Math.exp(ln), band: bandOf(residuals[i]!, width) }))
}

function bandOf(residual: number, width: number): number {
  const middle = (BANDS + 1) / 2
  // Closes on the trend exactly leave residuals of rounding only.
  if (width < 1e-12) return middle
  return Math.min(BANDS, Math.max(1, middle + Math.round(residual / width)))
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / values.length
