import type { ExchangeValues } from '../../db/tickers/write-exchanges.ts'
import { matchExchanges } from './match-exchanges.ts'

/** An exchange of one source with volumes in USD. */
export interface SourcedExchange {
  source: string
  upstreamId: string
  name: string
  icon: string | null
  url: string | null
  volume24hUsd: string
  volume7dUsd: string | null
  volume30dUsd: string | null
}

interface MergeInput {
  /** lists of the default and the other source; if both have an exchange, the volumes of `first` are used */
  first: readonly SourcedExchange[]
  second: readonly SourcedExchange[]
  /** stored exchange ids by `source upstreamId` */
  known: ReadonlyMap<string, string>
}

/** Merges rows of the same exchange into one, under its stored id or else the id of its first source. */
export function mergeExchanges({ first, second, known }: MergeInput): ExchangeValues[] {
  const withId = (row: SourcedExchange) => ({
    ...row,
    exchangeId: known.get(`${row.source} ${row.upstreamId}`) ?? null,
  })
  const [left, right] = [first.map(withId), second.map(withId)]
  const used = new Set(known.values())
  const newId = ({ upstreamId }: SourcedExchange): string => {
    let id = upstreamId
    for (let n = 2; used.has(id); n++) id = `${upstreamId}-${n}`
    used.add(id)
    return id
  }
  // Stored pairs stay: a changed name does not split an exchange.
  const ids = new Set(left.map(({ exchangeId }) => exchangeId))
  const paired = new Set(
    right.flatMap(({ exchangeId }) => (exchangeId && ids.has(exchangeId) ? exchangeId : [])),
  )
  const isFree = ({ exchangeId }: { exchangeId: string | null }) =>
    exchangeId === null || !paired.has(exchangeId)
  for (const [a, b] of matchExchanges(left.filter(isFree), right.filter(isFree))) {
    // Two exchanges that are stored separately stay separate.
    if (a.exchangeId && b.exchangeId) continue
    a.exchangeId = b.exchangeId = a.exchangeId ?? b.exchangeId ?? newId(a)
  }
  const rows = [...left, ...right].map((row) => ({ ...row, exchangeId: row.exchangeId ?? newId(row) }))
  return [...Map.groupBy(rows, ({ exchangeId }) => exchangeId)].map(([exchangeId, same]) => {
    const [main] = same
    const { source, name, volume24hUsd, volume7dUsd, volume30dUsd } = main!
    return {
      exchangeId,
      source,
      name,
      volume24hUsd,
      volume7dUsd,
      volume30dUsd,
      icon: same.find(({ icon }) => icon)?.icon ?? null,
      url: same.find(({ url }) => url)?.url ?? null,
      bySource: same.map((row) => ({
        source: row.source,
        upstreamId: row.upstreamId,
        volume24hUsd: row.volume24hUsd,
      })),
    }
  })
}
