import type { Bounds } from './read-bounds.ts'
import type { Terms } from './read-terms.ts'

/** Compares the bounds of two markets. Returns a text on how they differ, if they do. */
export function compareBounds(a: Terms, b: Terms): { doubt: number; complement: boolean } | string {
  if (a.bounds === null && b.bounds === null) return { doubt: 0, complement: false }
  if (a.bounds === null || b.bounds === null)
    return `only one names a figure: ${say((a.bounds ?? b.bounds)!)}`
  if (a.bounds.unit !== null && b.bounds.unit !== null && a.bounds.unit !== b.bounds.unit)
    return [say(a.bounds), say(b.bounds)].toSorted().join(' against ')
  const unit = a.bounds.unit ?? b.bounds.unit
  const step = stepOf({ unit, a, b })
  const [one, other] = [onGrid(a.bounds, step), onGrid(b.bounds, step)]
  if (one.low === other.low && one.high === other.high) {
    const edges = one.lowOpen === other.lowOpen && one.highOpen === other.highOpen
    // A price is never exactly the threshold; a figure that comes in steps often is.
    if (edges || step === null) return { doubt: edges ? 0 : 0.02, complement: false }
  }
  if (a.path !== 'touch' && b.path !== 'touch' && isComplement(one, other, step))
    return { doubt: 0, complement: true }
  return [say(a.bounds), say(b.bounds)].toSorted().join(' against ')
}

/** The step in which a figure is published; null: a price, which takes any value. */
function stepOf({ unit, a, b }: { unit: Bounds['unit']; a: Terms; b: Terms }): number | null {
  const names = (word: string) => a.words.firm.includes(word) || b.words.firm.includes(word)
  if (unit === 'bps') return 25
  if (unit === 'percent') return 0.1
  if (unit === 'degrees') return 1
  if (names('@jobs')) return 1_000
  return unit === 'usd' || a.priced || b.priced ? null : 1
}

/** Closes the open bounds of a figure that comes in steps: more than 2.8 % becomes 2.9 % or more. */
function onGrid(bounds: Bounds, step: number | null): Bounds {
  if (step === null) return bounds
  const isStep = (value: number): boolean => Math.abs(value / step - Math.round(value / step)) < 1e-6
  const next = (value: number, by: number): number => Number((value + by).toFixed(6))
  const { low, high, lowOpen, highOpen } = bounds
  const raise = low !== null && lowOpen && isStep(low)
  const cut = high !== null && highOpen && isStep(high)
  return {
    ...bounds,
    ...(raise && { low: next(low, step), lowOpen: false }),
    ...(cut && { high: next(high, -step), highOpen: false }),
  }
}

/** Whether one range begins where the other ends. */
function isComplement(a: Bounds, b: Bounds, step: number | null): boolean {
  const meet = (above: Bounds, below: Bounds): boolean => {
    if (above.low === null || above.high !== null || below.high === null || below.low !== null) return false
    if (step === null) return above.low === below.high
    return above.low === below.high
      ? above.lowOpen !== below.highOpen
      : !above.lowOpen && !below.highOpen && Math.abs(above.low - below.high - step) < 1e-6
  }
  return meet(a, b) || meet(b, a)
}

function say({ low, high, lowOpen, highOpen, unit }: Bounds): string {
  if (low === high) return `${low} ${unit ?? ''}`.trim()
  const parts = [
    ...(low === null ? [] : [`${lowOpen ? '>' : '>='} ${low}`]),
    ...(high === null ? [] : [`${highOpen ? '<' : '<='} ${high}`]),
  ]
  return `${parts.join(' and ')} ${unit ?? ''}`.trim()
}
