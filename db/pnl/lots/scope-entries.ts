import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import type { Book } from '../books.ts'
import { createFlowWalk, type FlowWalk } from '../periods/flow-walk.ts'
import { legSource } from '../legs/leg-source.ts'
import { inOrder } from '../legs/instants.ts'
import { type Leg, legKey } from '../legs/leg.ts'
import { netSwapLegs } from '../legs/value-unpriced.ts'
import { type FirstPrices, learnFirstPrices } from '../legs/measured-legs.ts'
import type { PricePoint } from '../valuation/price-book.ts'
import { pricesInForce } from '../valuation/prices-in-force.ts'
import type { Holdings } from '../legs/value-unpriced.ts'
import { streamTransactions } from '../legs/read-legs.ts'
import { add, type Decimal, decimal, multiply, negate, sign, ZERO } from '../../values/decimal.ts'
import type { DatedPostings } from './fold-lots.ts'
import type { CoinRules, PostingRules } from './posting.ts'
import { acquisitionsFirst, postingsOf } from './postings.ts'

export interface ScopeEntry extends DatedPostings {
  /** null: the entry of a coin's first price, for all books together */
  bookId: string | null
  legs: readonly Leg[]
}

/**
 * Yields the postings of the books of a scope in [fromMs, toMs), in the order of time. When a coin gets its
 * first price, what is held at an unknown cost is acquired at that price, the same sum that the days count as
 * a flow. `holdings` is the state of each book at `fromMs` and is updated along the way.
 */
export async function* scopeEntries(input: {
  db: Db
  scopeId: string
  books: readonly Book[]
  holdings: readonly Holdings[]
  firsts: FirstPrices
  fromMs: number
  toMs: number
  rules: CoinRules
}): AsyncGenerator<ScopeEntry> {
  const { db, books, firsts, fromMs, toMs } = input
  const rules: PostingRules = { ...input.rules, ...(await innerLegs(input)) }
  const entered = new Map<string, { first: PricePoint; held: Decimal }>()
  const walks: FlowWalk[] = []
  for (const [index, book] of books.entries()) {
    const holdings = input.holdings[index]!
    await learnFirstPrices(db, firsts, holdings.balances.keys())
    walks.push(
      createFlowWalk({
        fromMs,
        holdings,
        firsts,
        mayOwe: legSource(book).mayOwe,
        onFlow: () => {},
        onFirstPrice(first, held) {
          const others = entered.get(first.coinId)?.held ?? ZERO
          entered.set(first.coinId, { first, held: add(others, held) })
        },
      }),
    )
  }
  const streams = books.map((book) => streamTransactions({ db, book, fromMs, toMs, firsts }))
  for await (const { item, stream } of mergeStreams(streams, inOrder)) {
    const { atMs } = item[0]![0]!
    for (const walk of walks) walk.advance(atMs)
    if (entered.size > 0) yield* firstPrices(entered)
    const bookId = books[stream]!.id
    const entries = walks[stream]!.apply(item).map((valued, index): ScopeEntry => {
      const { txId } = item[index]![0]!
      const legs = netSwapLegs(valued)
      return { txId, atMs, postings: postingsOf({ txId, atMs, legs }, rules), bookId, legs }
    })
    yield* acquisitionsFirst(entries)
  }
  for (const walk of walks) walk.advance(toMs)
  yield* firstPrices(entered)
}

/** Entries for what the books together hold of coins at their first price; empties `entered`. */
function firstPrices(entered: Map<string, { first: PricePoint; held: Decimal }>): ScopeEntry[] {
  const held = [...entered.values()].filter((one) => sign(one.held) > 0)
  entered.clear()
  return held
    .sort((a, b) => a.first.atMs - b.first.atMs)
    .map(({ first: { coinId, atMs, usd }, held: quantity }): ScopeEntry => {
      const costUsd = multiply(quantity, usd)
      const posting = { kind: 'acquire', reason: 'receipt', coinId, quantity, costUsd } as const
      return {
        txId: `first price of ${coinId}`,
        atMs: atMs - 1,
        postings: [
          { ...posting, marketUsd: costUsd },
          { kind: 'unvalued', coinId, quantity: negate(quantity) },
        ],
        bookId: null,
        legs: [],
      }
    })
}

/** Rules for legs of the scope's own transfers. Leaves out coins without a price at the departure. */
async function innerLegs(input: {
  db: Db
  scopeId: string
  fromMs: number
  toMs: number
}): Promise<Pick<PostingRules, 'isInternal' | 'feeOf'>> {
  const { db } = input
  const { rows } = await sql<{
    coin_id: string
    fee: string
    from_at: Date
    from_book_id: string
    from_tx_id: string
    from_seq: number
    to_book_id: string
    to_tx_id: string
    to_seq: number
  }>`
    select coin_id, fee, from_at, from_book_id, from_tx_id, from_seq, to_book_id, to_tx_id, to_seq from transfer_matches
    where scope_id = ${input.scopeId}
      and from_at < ${new Date(input.toMs)} and to_at >= ${new Date(input.fromMs)}`.execute(db)
  const prices = await pricesInForce(
    db,
    rows.map(({ coin_id: coinId, from_at }) => ({ coinId, atMs: from_at.getTime() })),
  )
  const inner = new Map(
    rows.flatMap((row, index) =>
      prices[index]
        ? [
            [
              legKey({ account: row.from_book_id, txId: row.from_tx_id, seq: row.from_seq }),
              decimal(row.fee),
            ] as const,
            [legKey({ account: row.to_book_id, txId: row.to_tx_id, seq: row.to_seq }), ZERO] as const,
          ]
        : [],
    ),
  )
  return { isInternal: (leg) => inner.has(legKey(leg)), feeOf: (leg) => inner.get(legKey(leg)) ?? ZERO }
}

/** Merges ordered streams by `compare`. Of equal items, the one of the earlier stream comes first. */
async function* mergeStreams<T>(
  streams: readonly AsyncGenerator<T>[],
  compare: (one: T, other: T) => number,
): AsyncGenerator<{ item: T; stream: number }> {
  const heads: IteratorResult<T>[] = []
  // One after the other, because the streams share a connection.
  for (const stream of streams) heads.push(await stream.next())
  for (;;) {
    let first = -1
    heads.forEach((head, index) => {
      if (!head.done && (first < 0 || compare(head.value, heads[first]!.value as T) < 0)) first = index
    })
    if (first < 0) return
    yield { item: heads[first]!.value as T, stream: first }
    heads[first] = await streams[first]!.next()
  }
}
