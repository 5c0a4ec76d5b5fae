import { z } from 'zod'
import { type Decimal, sign, toNumber } from '../values/decimal.ts'

/**
 * The stored form of a wallet transaction: what of the answer does not move with prices is kept as its JSON text
 * (`wallet_transactions.fragment`), because pages of it pass through unparsed. A field of it is changed here and nowhere
 * else: in the schema, in `storedText`, and by one more in the version. Rows of an older version are then derived again,
 * by the next sync of their wallet or by `sluice rebuild`.
 */
export const FORMAT_VERSION = 1

const coin = z.object({ id: z.string(), name: z.string(), symbol: z.string(), icon: z.string() })

const item = z.object({
  id: z.string(),
  count: z.number().describe('Negative: out'),
  totalWorth: z.number().describe('At the instant of the transaction, 0 when unknown'),
  coin: coin.optional(),
  nft: z.object({ id: z.string(), name: z.string(), icon: z.string() }).optional(),
  toAddress: z.string().optional(),
  fromAddress: z.string().optional(),
})

/** Worths are in USD as stored. */
export const storedTransactionSchema = z.object({
  type: z.string().describe('Label: Received, Sent, Swap, Buy, Sell, Approve, Balance, Fee'),
  date: z.iso.datetime(),
  mainContent: z.object({ coinIcons: z.array(z.string()), coinAssets: z.array(z.string()) }),
  transactions: z.array(z.object({ action: z.string(), items: z.array(item) })),
  fee: z.object({ coin, count: z.number(), totalWorth: z.number() }).optional(),
  hash: z.object({ id: z.string(), explorerUrl: z.string() }).optional(),
})
export type StoredTransaction = z.infer<typeof storedTransactionSchema>

interface AssetFacts {
  coinId: string
  name: string
  symbol: string
  icon: string | null
}

export interface LegFacts {
  action: string
  /** negative: out */
  count: Decimal
  /** at the instant of the transaction; null: nobody knows */
  worthUsd: Decimal | null
  asset: AssetFacts
  /** null: a coin */
  nft: { token: string; id: string } | null
  counterparty: string | null
}

/** What is derived from the raw rows, before it has a form. */
export interface TransactionFacts {
  label: string
  at: Date
  hash: string
  /** of the network's explorer */
  explorerUrl: string
  legs: readonly LegFacts[]
  fee: { count: Decimal; worthUsd: Decimal | null; asset: AssetFacts } | null
}

/** The order of the keys is part of the form. */
export function storedText(facts: TransactionFacts): string {
  const { legs, fee, hash } = facts
  const items = legs.map((leg, i) => ({ action: leg.action, item: itemOf(leg, `${hash}-${i}`) }))
  const icons = legs.flatMap(({ nft, asset }) => (nft || asset.icon === null ? [] : [asset.icon]))
  const stored: StoredTransaction = {
    type: facts.label,
    date: facts.at.toISOString(),
    mainContent: { coinIcons: [...new Set(icons)], coinAssets: [] },
    transactions: [...Map.groupBy(items, ({ action }) => action)].map(([action, group]) => ({
      action,
      items: group.map((one) => one.item),
    })),
    ...(fee && {
      fee: { coin: coinOf(fee.asset), count: toNumber(fee.count), totalWorth: worthOf(fee.worthUsd) },
    }),
    hash: { id: hash, explorerUrl: `${facts.explorerUrl}/tx/${hash}` },
  }
  return JSON.stringify(stored)
}

function itemOf(leg: LegFacts, id: string): z.infer<typeof item> {
  const { asset, nft, counterparty, count } = leg
  const isOut = sign(count) < 0 || leg.action !== 'Received'
  return {
    id,
    count: toNumber(count),
    totalWorth: worthOf(leg.worthUsd),
    ...(nft
      ? { nft: { id: `${nft.token}-${nft.id}`, name: `${asset.name} #${nft.id}`, icon: asset.icon ?? '' } }
      : { coin: coinOf(asset) }),
    ...(counterparty && { [isOut ? 'toAddress' : 'fromAddress']: counterparty }),
  }
}

function coinOf({ coinId, name, symbol, icon }: AssetFacts): z.infer<typeof coin> {
  return { id: coinId, name, symbol, icon: icon ?? '' }
}

/** 0 stands for a worth that nobody knows. */
function worthOf(value: Decimal | null): number {
  return value === null ? 0 : toNumber(value)
}

export function dateOf(text: string): Date {
  return new Date(parse(text).date)
}

/** The stored fields with worths in another currency, at `rate` units for one USD. */
export function convertStored(text: string, rate: number): StoredTransaction {
  const stored = parse(text)
  for (const worth of [stored.fee, ...stored.transactions.flatMap(({ items }) => items)])
    if (worth) worth.totalWorth *= rate
  return stored
}

/** JSON text of the stored fields, which are not parsed, and of `more` after them. */
export function appendFields(text: string, more: object): string {
  const appended = JSON.stringify(more)
  return appended === '{}' ? text : `${text.slice(0, -1)},${appended.slice(1)}`
}

function parse(text: string): StoredTransaction {
  return JSON.parse(text) as StoredTransaction
}
