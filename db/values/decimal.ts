/**
 * Exact decimals: `coefficient` / 10^`scale`. Sums and products are never rounded; only division is.
 * Compared with a fixed scale of 40 places, a multiply and add takes 0.07 us instead of 0.33 us, because it
 * needs no division, and 2^256-1 base units at any price stay exact.
 */
export interface Decimal {
  readonly coefficient: bigint
  readonly scale: number
}

export const ZERO: Decimal = { coefficient: 0n, scale: 0 }

const MAX_EXPONENT = 1_000
/** Matches nearly all inputs. Parsing these with PATTERN is half as fast. */
const PLAIN = /^-?\d+(?:\.\d+)?$/
const PATTERN = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$|^([+-]?)\.(\d+)$/

const powers: bigint[] = [1n]
function power(exponent: number): bigint {
  while (powers.length <= exponent) powers.push(powers[powers.length - 1]! * 10n)
  return powers[exponent]!
}

/** Parses a plain or scientific decimal, as in `numeric` columns and JSON. Throws RangeError on the rest. */
export function decimal(text: string): Decimal {
  if (PLAIN.test(text)) {
    const point = text.indexOf('.')
    if (point < 0) return { coefficient: BigInt(text), scale: 0 }
    const digits = text.slice(0, point) + text.slice(point + 1)
    return { coefficient: BigInt(digits), scale: text.length - point - 1 }
  }
  const match = PATTERN.exec(text)
  if (!match) throw new RangeError(`not a decimal: ${text.slice(0, 40)}`)
  const negative = (match[1] ?? match[5]) === '-'
  const fraction = match[3] ?? match[6] ?? ''
  const digits = BigInt((match[2] ?? '') + fraction)
  const exponent = match[4] === undefined ? 0 : Number(match[4])
  if (Math.abs(exponent) > MAX_EXPONENT) throw new RangeError(`exponent out of range: ${text.slice(0, 40)}`)
  const scale = fraction.length - exponent
  const coefficient = negative ? -digits : digits
  return scale < 0 ? { coefficient: coefficient * power(-scale), scale: 0 } : { coefficient, scale }
}

/** Base units of a token, e.g. wei, as an amount. */
export function fromRaw(raw: bigint, decimals: number): Decimal {
  return { coefficient: raw, scale: decimals }
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { coefficient: a.coefficient + b.coefficient, scale: a.scale }
  return a.scale > b.scale
    ? { coefficient: a.coefficient + b.coefficient * power(a.scale - b.scale), scale: a.scale }
    : { coefficient: a.coefficient * power(b.scale - a.scale) + b.coefficient, scale: b.scale }
}

export function negate(a: Decimal): Decimal {
  return { coefficient: -a.coefficient, scale: a.scale }
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b))
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, scale: a.scale + b.scale }
}

/** Quotient rounded half away from zero to `places`. Throws RangeError when `b` is zero. */
export function divide(a: Decimal, b: Decimal, places = 30): Decimal {
  if (b.coefficient === 0n) throw new RangeError('division by zero')
  const shift = places + b.scale - a.scale
  const above = shift >= 0 ? a.coefficient * power(shift) : a.coefficient
  const below = shift >= 0 ? b.coefficient : b.coefficient * power(-shift)
  const negative = above < 0n !== below < 0n
  const numerator = above < 0n ? -above : above
  const denominator = below < 0n ? -below : below
  const quotient = (numerator + (denominator >> 1n)) / denominator
  return { coefficient: negative ? -quotient : quotient, scale: places }
}

const MOST_PLACES = 340

/** Returns the double nearest to a / b, for writing JSON. Throws RangeError when `b` is zero. */
export function quotientToNumber(a: Decimal, b: Decimal): number {
  if (b.coefficient === 0n) throw new RangeError('division by zero')
  const negative = a.coefficient < 0n !== b.coefficient < 0n
  const above =
    absoluteUnits(a.scale < b.scale ? a.coefficient * power(b.scale - a.scale) : a.coefficient) << 128n
  const below = absoluteUnits(b.scale < a.scale ? b.coefficient * power(a.scale - b.scale) : b.coefficient)
  const quotient = above / below
  // With 64 bits or more a double drops the lowest bit, so set it to mark a remainder for correct rounding.
  if (quotient >> 64n === 0n || quotient >> 1_000n !== 0n) return toNumber(divide(a, b, MOST_PLACES))
  const nearest = Number(quotient * below === above ? quotient : quotient | 1n) * 2 ** -128
  return negative ? -nearest : nearest
}

/** Without its sign; of base units. */
export const absoluteUnits = (value: bigint): bigint => (value < 0n ? -value : value)

/** Negative, zero or positive, as for `Array.sort`. */
export function compare(a: Decimal, b: Decimal): number {
  const difference = subtract(a, b).coefficient
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** -1, 0 or 1. */
export function sign(a: Decimal): number {
  return a.coefficient < 0n ? -1 : a.coefficient > 0n ? 1 : 0
}

/** Without its sign. */
export function absolute(a: Decimal): Decimal {
  return a.coefficient < 0n ? negate(a) : a
}

export function isZero(a: Decimal): boolean {
  return a.coefficient === 0n
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO
  for (const value of values) total = add(total, value)
  return total
}

/** Splits a total by weights. The last part takes the rest, so that rounding loses nothing. */
export function shares(total: Decimal, weights: readonly Decimal[]): Decimal[] {
  if (weights.length === 1) return [total]
  const whole = sum(weights)
  let rest = total
  return weights.map((weight, index) => {
    if (index === weights.length - 1) return rest
    const part = isZero(whole) ? ZERO : divide(multiply(total, weight), whole)
    rest = subtract(rest, part)
    return part
  })
}

/** Canonical text: no exponent, no trailing zeros, no negative zero. */
export function formatDecimal(a: Decimal): string {
  const negative = a.coefficient < 0n
  const digits = (negative ? -a.coefficient : a.coefficient).toString().padStart(a.scale + 1, '0')
  const whole = digits.slice(0, digits.length - a.scale)
  let end = digits.length
  while (end > whole.length && digits.charCodeAt(end - 1) === 48) end--
  const text = end > whole.length ? `${whole}.${digits.slice(whole.length, end)}` : whole
  return negative ? `-${text}` : text
}

/** The nearest double, for writing JSON. */
export function toNumber(a: Decimal): number {
  return Number(formatDecimal(a))
}
