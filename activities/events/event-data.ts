import { type Transaction, transactionJson } from '../../db/chain/served-transaction.ts'
import { exchangeTransaction, mainCoin } from '../../db/exchanges/served-transaction.ts'
import type { ExchangeTransactionPayload } from '../../db/events/note-exchange-events.ts'
import type { EventSource } from '../../db/events/publish.ts'

/** Of a whole envelope. */
const MAX_BYTES = 20_000
/** More than the fields of the envelope around the data. */
const ENVELOPE_BYTES = 200

const USD = { then: 1, now: 1 }
const rowOf = ({ row }: ExchangeTransactionPayload) => ({ ...row, at: new Date(row.at) })

/** The coin whose current price the event states. */
export function coinOf(source: EventSource): string | null {
  if (source.kind === 'wallet.transaction') return source.payload.row.main?.coinId ?? null
  if (source.kind === 'exchange.transaction')
    return mainCoin(rowOf(source.payload), { prices: new Map(), rates: USD })?.coinId ?? null
  return source.kind === 'wallet.balance' ? source.payload.coinId : null
}

/** The `data` of an event as JSON text. A transaction in it has the bytes of `GET /wallet/transactions`. */
export function eventData(source: EventSource, prices: ReadonlyMap<string, number>): string {
  const { address, connectionId, blockchain } = source
  const place = { address, connectionId, blockchain }
  const blockNumber = Number(source.blockNumber)
  switch (source.kind) {
    case 'wallet.transaction': {
      const { status, blockHash, late, row } = source.payload
      const facts = { ...place, status, blockNumber, blockHash, late }
      const item = transactionJson(row, prices)
      const whole = withItem(facts, item)
      return fits(whole) ? whole : cut({ facts, item, txHash: source.txHash! })
    }
    case 'wallet.balance': {
      const { coinId, amount, previousAmount } = source.payload
      const priceUsd = prices.get(coinId) ?? null
      return JSON.stringify({ ...place, coinId, amount, previousAmount, priceUsd, blockNumber })
    }
    case 'wallet.synced':
      return JSON.stringify({ ...place, ...source.payload })
    case 'exchange.transaction': {
      const { portfolioId, exchange, late } = source.payload
      const transaction = exchangeTransaction(rowOf(source.payload), { prices, rates: USD })
      return JSON.stringify({ portfolioId, connectionId: exchange, late, transaction })
    }
    case 'exchange.synced': {
      const { portfolioId, exchange, transactions } = source.payload
      return JSON.stringify({ portfolioId, connectionId: exchange, transactions })
    }
    case 'endpoint.disabled':
    case 'test.ping':
      return JSON.stringify(source.payload)
    default:
      return JSON.stringify(source.payload.data)
  }
}

const withItem = (facts: object, item: string): string =>
  `${JSON.stringify(facts).slice(0, -1)},"transaction":${item}}`

const fits = (data: string): boolean => Buffer.byteLength(data) <= MAX_BYTES - ENVELOPE_BYTES

/** Keeps the first items of each list, as many as fit, and says where the rest is. */
function cut(input: {
  facts: { address: string; connectionId: string }
  item: string
  txHash: string
}): string {
  const { facts, item, txHash } = input
  const whole = JSON.parse(item) as Transaction
  const query = new URLSearchParams({
    address: facts.address,
    connectionId: facts.connectionId,
    txId: txHash,
  })
  const more = { ...facts, truncated: true, url: `/v1/wallet/transactions?${query.toString()}` }
  for (let most = 64; ; most = Math.floor(most / 2)) {
    const { mainContent, transactions } = whole
    const short: Transaction = {
      ...whole,
      mainContent: { ...mainContent, coinIcons: mainContent.coinIcons.slice(0, most) },
      transactions: transactions.map((group) => ({ ...group, items: group.items.slice(0, most) })),
    }
    const data = withItem(more, JSON.stringify(short))
    if (fits(data) || most === 0) return data
  }
}
