import type { CorrectedPart } from '../../db/exchanges/read-transactions.ts'

/** Note on an operator's correction of a transaction, which itself is listed as the exchange states it. */
export function correctionNote(parts: readonly CorrectedPart[]): string | null {
  const said = parts.map(({ count, role, at, portfolio }) => {
    const words = [
      ...(role === null ? [] : [`as ${role}`]),
      ...(at === null ? [] : [`on ${at}`]),
      ...(portfolio === null ? [] : [`in ${portfolio}`]),
    ]
    const how = words.length === 0 ? 'as stated' : words.join(' ')
    if (parts.length === 1) return how
    return count === null ? `the rest ${how}` : `${count} of it ${how}`
  })
  return said.length === 0 ? null : `Corrected: counted ${said.join('; ')}`
}
