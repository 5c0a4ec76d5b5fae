import { createHash } from 'node:crypto'
import { z } from 'zod'
import { positiveField, secondsField } from '../../fields.ts'
import { parseRows } from '../../parse-rows.ts'
import type { MarketRef, TradePage, TradeRow } from '../venue-data.ts'
import { probabilityField, textField } from '../venue-fields.ts'

/** Rows of fills of both versions of the Data API, and what they have in common. */

export const addressField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())

const token = z.string().min(1)
const hash = z.string().min(1).max(100)
const fill = {
  side: z.enum(['BUY', 'SELL']),
  size: positiveField,
  price: probabilityField,
  timestamp: secondsField,
  name: textField,
  pseudonym: textField,
}

export const fillOfV1 = z
  .object({
    ...fill,
    proxyWallet: addressField,
    asset: token,
    transactionHash: hash,
    profileImage: textField,
  })
  .transform(({ proxyWallet: wallet, asset, transactionHash, profileImage, ...row }) => ({
    ...row,
    wallet,
    token: asset,
    txHash: transactionHash,
    picture: profileImage,
  }))

export const fillOfV2 = z
  .object({
    ...fill,
    proxy_wallet: addressField,
    token_id: token,
    transaction_hash: hash,
    profile_image: textField,
  })
  .transform(({ proxy_wallet: wallet, token_id, transaction_hash, profile_image, ...row }) => ({
    ...row,
    wallet,
    token: token_id,
    txHash: transaction_hash,
    picture: profile_image,
  }))

type Fill = z.infer<typeof fillOfV1>

/** How many fills with equal fields came before, by a digest of the fields: they tell which fill is which. */
export type Ordinals = Record<string, number>

/**
 * Fills of a page. `before`: of the last second of the page before. `ordinals`: of the last second of this one.
 */
export function readFills(
  sent: readonly unknown[],
  options: { schema: z.ZodType<Fill>; market: MarketRef; before: Ordinals },
): Pick<TradePage, 'trades' | 'quarantined'> & { ordinals: Ordinals } {
  const { schema, market, before } = options
  const { rows, quarantined } = parseRows(schema, sent)
  const outcomes = new Map(market.outcomeIds.map((id, position) => [id, position]))
  const seen = new Map(Object.entries(before))
  const last = rows.at(-1)?.timestamp.getTime()
  const ordinals: Ordinals = {}
  const trades: TradeRow[] = []
  for (const row of rows) {
    const { txHash, token: asset, wallet, side, size, price, timestamp: at } = row
    const fields = [txHash, asset, wallet, side, size, price].join(' ')
    const digest = createHash('sha256').update(fields).digest('base64url').slice(0, 12)
    const ordinal = seen.get(digest) ?? 0
    seen.set(digest, ordinal + 1)
    if (at.getTime() === last) ordinals[digest] = ordinal + 1
    const outcome = outcomes.get(asset)
    if (outcome === undefined) {
      quarantined.push({ reason: 'asset: no outcome of its market', payload: row })
      continue
    }
    trades.push({
      key: `polymarket ${fields} ${ordinal}`,
      at,
      outcome,
      side: side === 'BUY' ? 'buy' : 'sell',
      price,
      size,
      trader: { address: wallet, name: row.name ?? row.pseudonym, avatarUrl: row.picture },
      txHash,
      isBlock: false,
    })
  }
  return { trades, quarantined, ordinals }
}
