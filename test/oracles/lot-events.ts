import { type DatedPostings, foldLots } from '../../db/pnl/lots/fold-lots.ts'
import { createUseLog } from '../../db/pnl/lots/lot-uses.ts'
import type { LedgerTransaction } from '../../db/pnl/lots/postings.ts'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { acquisitionsFirst, postingsOf } from '../../db/pnl/lots/postings.ts'
import { decimal, multiply, subtract, sum, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { COIN_IDS, STABLE } from './lot-histories.ts'

/** One acquisition or disposal, as input for the other program. */
export interface LotEvent {
  /** history/coin/sequence */
  key: string
  history: number
  seq: number
  coinId: string
  atMs: number
  kind: 'acquire' | 'dispose'
  quantity: Decimal
  /** whole cost, or proceeds */
  usd: Decimal
  /** market value of a fee without a trade, which has no proceeds; else null */
  plainFeeUsd: Decimal | null
}

/** The normalised events of a history, and the gains of our fold. */
export function lotEvents(history: readonly LedgerTransaction[], index: number) {
  const rules = {
    isStable: (coinId: string) => coinId === STABLE,
    trust: (coinId: string) => -COIN_IDS.indexOf(coinId),
    isInternal: () => false,
    feeOf: () => ZERO,
  }
  const events: LotEvent[] = []
  const dated = history.map((transaction): DatedPostings => {
    const { txId, atMs } = transaction
    return { txId, atMs, postings: postingsOf(transaction, rules) }
  })
  const entries = [...Map.groupBy(dated, ({ atMs }) => atMs).values()].flatMap(acquisitionsFirst)
  const legsOf = new Map(history.map(({ txId, legs }) => [txId, legs]))
  for (const { txId, atMs, postings } of entries) {
    for (const posting of postings) {
      if (posting.kind === 'carry' || posting.kind === 'unvalued')
        throw new Error('these histories must only contain priced trades and transfers')
      const { kind, coinId, quantity, reason } = posting
      const seq = events.length
      const priceUsd = legsOf.get(txId)!.find((leg) => leg.coinId === coinId)!.priceUsd!
      events.push({
        key: keyOf(index, coinId, seq),
        history: index,
        seq,
        coinId,
        atMs,
        kind,
        quantity,
        usd: kind === 'acquire' ? posting.costUsd : posting.proceedsUsd,
        plainFeeUsd: reason === 'fee' ? multiply(quantity, priceUsd) : null,
      })
    }
  }
  return { events, gains: (method: CostMethod) => gainsOf({ entries, events, method }) }
}

export interface Gain {
  basis: Decimal
  gain: Decimal
}

/** Our basis and gain of each disposal, by event key: sums over the lots of a tax report. */
function gainsOf(input: {
  entries: DatedPostings[]
  events: LotEvent[]
  method: CostMethod
}): Map<string, Gain> {
  const disposals = input.events.filter((event) => event.kind === 'dispose')
  const log = createUseLog(input.method)
  foldLots({ entries: input.entries, method: input.method, onLots: (use, source) => log.note(use, source) })
  const reported = log.take().flatMap(({ disposed }) => disposed)
  return new Map(
    reported.map(([, , , , , , lots], index) => {
      const proceeds = sum(lots.map(([, , , part]) => decimal(part)))
      const basis = sum(lots.map(([, , , , cost]) => decimal(cost ?? '0')))
      return [disposals[index]!.key, { basis, gain: subtract(proceeds, basis) }]
    }),
  )
}

function keyOf(history: number, coinId: string, seq: number): string {
  return `${history}/${coinId}/${seq}`
}
