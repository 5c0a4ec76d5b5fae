/** A close of a coin. `days`: age since the first block, above 0; `usd`: above 0. */
export interface Close {
  days: number
  usd: number
}

/**
 * The trend price in USD on the day of a close, and the band of the close, 1 (cheapest) to 9 (most
 * expensive).
 */
export interface RainbowPoint {
  trend: number
  band: number
}

export const BANDS = 9

/**
 * The logarithmic regression of a rainbow chart: least squares of ln(price) over ln(age). Bands are half a
 * standard deviation of the residuals wide. The fifth of nine is centred on the trend; the outer two are
 * open-ended. Returns an empty list for fewer than three closes or equal ages, which define no trend.
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
  // When all closes are on the trend, the residuals are rounding errors.
  if (width < 1e-12) return middle
  return Math.min(BANDS, Math.max(1, middle + Math.round(residual / width)))
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / values.length
