import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readTransactions, TRANSACTION_TYPES } from '../../db/chain/read-transactions.ts'
import type { ServedRow } from '../../db/chain/served-transaction.ts'
import { convertedJson, transactionSchema } from '../../db/chain/served-transaction.ts'
import { dateOf } from '../../db/chain/stored-transaction.ts'
import { readRatesAt } from '../../db/prices/read-prices.ts'
import {
  blockchains,
  connectionIds,
  fitsNetworks,
  networkIssue,
  pricedNetworks,
  type WalletRef,
  walletPairs,
} from '../networks.ts'
import {
  booleanParam,
  coinIdParam,
  currencyParam,
  enumListParam,
  instantParam,
  limit,
  page,
  transactionHashParam,
  unknownCurrency,
  walletParam,
} from '../params.ts'
import { NOT_AFTER_FROM } from '../reasons.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { oldest, pageMetaSimpleSchema } from '../shapes.ts'
import { type CurrentPrices, currentPrices } from './current-prices.ts'
import { hotList, hotRows, type JsonList, jsonList, listInUsd } from './hot-pages.ts'
import { allSynced, nameOfPending } from './synced-wallets.ts'

const query = z
  .object({
    wallets: walletPairs().optional(),
    address: walletParam('Required when `wallets` is absent').optional(),
    connectionId: connectionIds().optional(),
    blockchain: blockchains().optional(),
    page: page(),
    limit: limit(100),
    from: instantParam('Inclusive start').optional(),
    to: instantParam('Exclusive end, after `from`').optional(),
    currency: currencyParam(),
    types: enumListParam(TRANSACTION_TYPES).optional(),
    coinId: coinIdParam('Coin id').optional(),
    txId: transactionHashParam('Hash of one transaction').optional(),
    hideUnidentifiedCoins: booleanParam({ default: false, numeric: true }),
  })
  .transform(({ wallets, address, connectionId, blockchain, ...rest }, context) => {
    const refuse = (issue: { path: string[]; message: string }) => {
      context.addIssue({ code: 'custom', ...issue })
      return z.NEVER
    }
    if (rest.from && rest.to && rest.from >= rest.to) return refuse({ path: ['to'], message: NOT_AFTER_FROM })
    if (wallets) return { ...rest, wallets }
    if (address === undefined)
      return refuse({ path: ['address'], message: 'Either it or `wallets` is required' })
    const networks = connectionId ?? blockchain
    if (!networks || !fitsNetworks(address, networks)) return refuse(networkIssue(networks))
    return { ...rest, wallets: networks.map((network): WalletRef => ({ network, address })) }
  })
type Query = z.output<typeof query>

export const transactionPageSchema = z.object({
  meta: pageMetaSimpleSchema,
  result: z.array(transactionSchema),
})

export const getTransactions = defineRoute({
  method: 'GET',
  path: '/wallet/transactions',
  tag: 'Wallets',
  summary: 'Transactions of wallets, newest first',
  description:
    'One list for all listed wallets. Returns 409 until the history of a listed network is complete; the first read of a wallet starts its sync. `all` means every network that it covers and that has a source or was synced: it returns what is complete, and `meta.pending` names the missing networks.',
  query,
  response: transactionPageSchema,
  credits: 30,
  multiplied: {
    creditsAll: 300,
    items: ({ query: { wallets } }) => pricedNetworks(wallets.map(({ network }) => network)),
  },
  plan: 'any',
  x402: '0.003',
  needsSync: true,
  mayLag: true,
  async handler({ query: options }, context) {
    const { db, now } = context
    const at = now()
    const prices = await currentPrices(db)(at.getTime())
    const { list, asOf, priceAsOf, pending } = await readPage(context, { options, prices, now: at })
    const meta = JSON.stringify({
      page: options.page,
      limit: options.limit,
      ...(pending.length > 0 && { pending }),
    })
    const bytes = Buffer.concat([Buffer.from(`{"meta":${meta},"result":`), list, Buffer.from('}')])
    return { body: { bytes }, asOf, priceAsOf, pending }
  },
})

interface Shown {
  options: Query
  prices: CurrentPrices
  now: Date
}

/** Reads an unfiltered page of one wallet in one batch with other requests, and anything else by itself. */
async function readPage(
  context: Pick<RouteContext, 'db' | 'firstReads'>,
  shown: Shown,
): Promise<JsonList & { asOf: Date | null; pending: readonly string[] }> {
  const { db } = context
  const { options } = shown
  const { wallets, limit: size, page } = options
  const offset = (page - 1) * size
  const [wallet] = wallets
  if (wallets.length === 1 && wallet && !isFiltered(options)) {
    const network = wallet.network === 'all' ? '' : wallet.network
    const asked = { address: wallet.address, network, offset, limit: size }
    const found = await (options.currency === 'USD' ? hotList(db, asked, shown.prices) : hotRows(db, asked))
    const { asOf, isPartial } = found
    const missing = asOf && !isPartial ? [] : (await allSynced(context, wallets)).missing
    const json = 'list' in found ? found : await listOf(db, found.rows, shown)
    return { ...json, asOf, pending: missing.map(nameOfPending) }
  }
  const { synced, missing } = await allSynced(context, wallets)
  const rows = await readTransactions(db, { wallets: synced, filter: options, offset, limit: size })
  return {
    ...(await listOf(db, rows, shown)),
    asOf: oldest(synced.map(({ syncedAt }) => syncedAt)),
    pending: missing.map(nameOfPending),
  }
}

function isFiltered({ from, to, types, coinId, txId, hideUnidentifiedCoins }: Query): boolean {
  return Boolean(from ?? to ?? types ?? coinId ?? txId) || hideUnidentifiedCoins
}

async function listOf(
  db: ReadonlyDb,
  rows: readonly ServedRow[],
  { options: { currency }, prices, now }: Shown,
): Promise<JsonList> {
  if (currency === 'USD') return listInUsd(rows, prices)
  const instants = [...rows.map(({ fragment }) => dateOf(fragment)), now]
  const rates = await readRatesAt(db, { currency, instants })
  if (!rates) throw unknownCurrency()
  const rateNow = Number(rates.at(-1))
  return jsonList(rows, prices, (row, i) =>
    convertedJson(row, prices.usd, { then: Number(rates[i]), now: rateNow }),
  )
}
