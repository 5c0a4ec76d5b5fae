import { startDouble } from '../double.ts'
import type { Asked, DoubleServer, Reply } from '../double.ts'
import type { Meter } from '../meter.ts'

/** One rule of a vendor: the row of the list of strict doubles (0: the list lacks it), and the body that it answers with. */
export interface Rule {
  row: number
  refuse: (asked: Asked) => Reply | null
}

/** What a proxy before a node says to an address that asks too often. No vendor publishes it. */
export const refusedByProxy = (meter: Meter): Rule => ({
  row: 0,
  refuse: ({ address }) =>
    meter.take(address)
      ? { status: 429, headers: { 'content-type': 'text/html' }, body: '<html>429 Too Many Requests</html>' }
      : null,
})

export interface RuledDouble extends DoubleServer {
  /** rows of the rules that refused something, in order */
  refused: number[]
}

/** Serves what the first rule refuses, in the order in which the service decides, and else what it answers. */
export async function startRuled(
  rules: readonly Rule[],
  answer: (asked: Asked) => Reply | Promise<Reply>,
): Promise<RuledDouble> {
  const refused: number[] = []
  const server = await startDouble((asked) => {
    for (const { row, refuse } of rules) {
      const refusal = refuse(asked)
      if (!refusal) continue
      refused.push(row)
      return refusal
    }
    return answer(asked)
  })
  return { ...server, refused }
}

/** Whole path parts, decoded. */
export const partsOf = ({ path }: Asked): string[] =>
  path.split('/').flatMap((part) => (part === '' ? [] : decodeURIComponent(part)))
