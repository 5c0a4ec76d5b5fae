import { SourceRejected } from '../errors.ts'
import type { Position, ProtocolReading } from './position.ts'

/**
 * Reads the markets of a protocol independently: one that does not answer leaves only itself unknown. Throws
 * when none answers.
 */
export async function readParts<Part extends { id: string }>(
  parts: readonly Part[],
  read: (part: Part) => Promise<Position | null>,
): Promise<ProtocolReading> {
  const reading: ProtocolReading = { positions: [], unknown: [] }
  const outcomes = await Promise.allSettled(parts.map(read))
  outcomes.forEach((outcome, i) => {
    if (outcome.status === 'fulfilled') {
      if (outcome.value) reading.positions.push(outcome.value)
    } else {
      const reason: unknown = outcome.reason
      // The node is unavailable, not the market: the whole read is tried again.
      if (!(reason instanceof SourceRejected)) throw reason
      reading.unknown.push({ id: parts[i]!.id, reason: reason.message })
    }
  })
  if (parts.length > 0 && reading.unknown.length === parts.length)
    throw (outcomes[0] as PromiseRejectedResult).reason
  return reading
}
