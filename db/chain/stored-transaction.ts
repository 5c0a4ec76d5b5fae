import { z } from 'zod'
import { type Decimal, sign, toNumber } from '../values/decimal.ts'

/**
 * The stored form of a wallet transaction. The part of the response that does not depend on current prices is
 * stored as JSON text (`wallet_transactions.fragment`), so pages are served without parsing. To change a
 * field, change the schema and `storedText` and increment the version, all in this file. Increment it as well if raw
 * rows mean other movements. The next sync of a wallet or `sluice rebuild` then derives rows of an older version again.
 */
export const FORMAT_VERSION = 4

/** The interface's words for what moves. */
const ACTIONS = ['Received', 'Sent'] as const
export type Action = (typeof ACTIONS)[number]

const coin = z
  .object({ id: z.string(), name: z.string(), symbol: z.string(), icon: z.string() })
  .meta({ title: 'CoinLabel' })

const item = z
  .object({
    id: z.string(),
    count: z.number().describe('Negative when it leaves the wallet'),
    totalWorth: z.number().describe('Value at the time of the transaction, 0 when unknown'),
    coin: coin.optional(),
    nft: z.object({ id: z.string(), name: z.string(), icon: z.string() }).optional(),
    toAddress: z.string().optional(),
    fromAddress: z.string().optional(),
  })
  .meta({ title: 'TransactionItem' })

/** Stored values are in USD. */
export const storedTransactionSchema = z.object({
  type: z
    .string()
    .describe(
      'Received, Sent, Swap, Buy, Sell or Balance. A transaction that only paid a fee or approved an amount is `Sent` without `transactions`',
    ),
  date: z.iso.datetime(),
  mainContent: z.object({ coinIcons: z.array(z.string()), coinAssets: z.array(z.string()) }),
  transactions: z.array(z.object({ action: z.enum(ACTIONS), items: z.array(item) })),
  approval: z
    .object({
      coin,
      count: z.number().describe('Approved amount'),
      toAddress: z.string().optional().describe('Address that may spend it'),
    })
    .optional()
    .describe('Set if the transaction only allows an address to spend a coin'),
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
  action: Action
  /** negative when it leaves the wallet */
  count: Decimal
  /** at the price of the transaction's instant; null: unknown */
  worthUsd: Decimal | null
  asset: AssetFacts
  /** null: a coin */
  nft: { token: string; id: string } | null
  counterparty: string | null
}

/** The input of `storedText`, derived from the raw rows. */
export interface TransactionFacts {
  label: string
  at: Date
  hash: string
  /** base URL of the network's explorer */
  explorerUrl: string
  /** what the explorer shows under the hash */
  page: 'tx' | 'block'
  legs: readonly LegFacts[]
  /** null: the transaction is more than an approval */
  approval: { count: Decimal; asset: AssetFacts; counterparty: string | null } | null
  fee: { count: Decimal; worthUsd: Decimal | null; asset: AssetFacts } | null
}

/** The order of the keys is part of the stored form. */
export function storedText(facts: TransactionFacts): string {
  const { legs, approval, fee, hash } = facts
  const items = legs.map((leg, i) => ({ action: leg.action, item: itemOf(leg, `${hash}-${i}`) }))
  const coins =
    legs.length > 0 ? legs.filter(({ nft }) => !nft) : [approval ?? fee].filter((one) => one !== null)
  const icons = coins.flatMap(({ asset }) => asset.icon ?? [])
  const stored: StoredTransaction = {
    type: facts.label,
    date: facts.at.toISOString(),
    mainContent: { coinIcons: [...new Set(icons)], coinAssets: [] },
    transactions: [...Map.groupBy(items, ({ action }) => action)].map(([action, group]) => ({
      action,
      items: group.map((one) => one.item),
    })),
    ...(approval && {
      approval: {
        coin: coinOf(approval.asset),
        count: toNumber(approval.count),
        ...(approval.counterparty && { toAddress: approval.counterparty }),
      },
    }),
    ...(fee && {
      fee: { coin: coinOf(fee.asset), count: toNumber(fee.count), totalWorth: worthOf(fee.worthUsd) },
    }),
    hash: { id: hash, explorerUrl: `${facts.explorerUrl}/${facts.page}/${hash}` },
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

/** 0 stands for an unknown value. */
function worthOf(value: Decimal | null): number {
  return value === null ? 0 : toNumber(value)
}

export function dateOf(text: string): Date {
  return new Date(parse(text).date)
}

/** The stored fields with values in another currency, at `rate` units for one USD. */
export function convertStored(text: string, rate: number): StoredTransaction {
  const stored = parse(text)
  for (const worth of [stored.fee, ...stored.transactions.flatMap(({ items }) => items)])
    if (worth) worth.totalWorth *= rate
  return stored
}

/** Appends the fields of `more` to the stored JSON text without parsing it. */
export function appendFields(text: string, more: object): string {
  const appended = JSON.stringify(more)
  return appended === '{}' ? text : `${text.slice(0, -1)},${appended.slice(1)}`
}

function parse(text: string): StoredTransaction {
  return JSON.parse(text) as StoredTransaction
}
