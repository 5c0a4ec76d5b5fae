import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readTransactions, TRANSACTION_TYPES } from '../../db/chain/read-transactions.ts'
import type { ServedRow } from '../../db/chain/served-row.ts'
import { dateOf } from '../../db/chain/stored-transaction.ts'
import { readRatesAt } from '../../db/prices/read-rates.ts'
import { currentRate } from '../prices/current-rate.ts'
import { notSynced } from '../errors.ts'
import {
  blockchains,
  connectionIds,
  fitsNetworks,
  pricedNetworks,
  type WalletRef,
  walletPairs,
} from '../networks.ts'
import {
  walletParam,
  booleanParam,
  currencyParam,
  enumListParam,
  identifierParam,
  instantParam,
  limit,
  page,
  transactionHashParam,
} from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { currentPrices } from './current-prices.ts'
import { hotPages } from './hot-pages.ts'
import { allSynced } from './synced-wallets.ts'
import { convertedJson, transactionJson, transactionPageSchema } from './transaction.ts'

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
    coinId: identifierParam('Coin id').optional(),
    txId: transactionHashParam('Hash of one transaction').optional(),
    hideUnidentifiedCoins: booleanParam({ default: false, numeric: true }),
  })
  .transform(({ wallets, address, connectionId, blockchain, ...rest }, context) => {
    const missing = (name: string) => {
      context.addIssue({ code: 'custom', message: 'missing or invalid', path: [name] })
      return z.NEVER
    }
    if (rest.from && rest.to && rest.from >= rest.to) return missing('to')
    if (wallets) return { ...rest, wallets }
    if (address === undefined) return missing('address')
    const networks = connectionId ?? blockchain
    if (!networks) return missing('connectionId')
    if (!fitsNetworks(address, networks)) return missing('address')
    return { ...rest, wallets: networks.map((network): WalletRef => ({ network, address })) }
  })
type Query = z.output<typeof query>

export const getTransactions = defineRoute({
  method: 'GET',
  path: '/wallet/transactions',
  tag: 'Wallets',
  summary: 'Transactions of wallets, newest first',
  description:
    'One list for all listed wallets. `all` means the networks on which the wallet was synced. Returns 409 when a listed network was never synced: start with PATCH /wallet/transactions.',
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
  async handler({ query: options }, { db, now }) {
    const at = now()
    const [found, { usd: prices, at: pricedAt }] = await Promise.all([
      readPage(db, options),
      currentPrices(db)(at.getTime()),
    ])
    const items =
      options.currency === 'USD'
        ? found.rows.map((row) => transactionJson(row, prices))
        : await converted(db, { rows: found.rows, currency: options.currency, prices, now: at })
    const meta = `{"page":${options.page},"limit":${options.limit}}`
    return {
      body: { json: `{"meta":${meta},"result":[${items.join(',')}]}` },
      asOf: found.asOf,
      priceAsOf: oldest(found.rows.map(({ main }) => main && pricedAt.get(main.coinId))),
    }
  },
})

/** Reads an unfiltered page of one wallet in one batch with other requests, and anything else by itself. */
async function readPage(db: ReadonlyDb, options: Query): Promise<{ rows: ServedRow[]; asOf: Date | null }> {
  const { wallets, limit: size } = options
  const offset = (options.page - 1) * size
  const [wallet] = wallets
  if (wallets.length === 1 && wallet && !isFiltered(options)) {
    const network = wallet.network === 'all' ? '' : wallet.network
    const found = await hotPages(db)({ address: wallet.address, network, offset, limit: size })
    if (!found.asOf) throw notSynced()
    return found
  }
  const { synced } = await allSynced(db, wallets)
  const rows = await readTransactions(db, { wallets: synced, filter: options, offset, limit: size })
  return { rows, asOf: oldest(synced.map(({ syncedAt }) => syncedAt)) }
}

function isFiltered({ from, to, types, coinId, txId, hideUnidentifiedCoins }: Query): boolean {
  return Boolean(from ?? to ?? types ?? coinId ?? txId) || hideUnidentifiedCoins
}

async function converted(
  db: ReadonlyDb,
  options: { rows: ServedRow[]; currency: string; prices: ReadonlyMap<string, number>; now: Date },
): Promise<string[]> {
  const { rows, currency, prices } = options
  const [rateNow, ratesThen] = await Promise.all([
    currentRate(db, options),
    readRatesAt(db, { currency, instants: rows.map(({ fragment }) => dateOf(fragment)) }),
  ])
  // A currency without rate history uses its first known rate, the current one.
  return rows.map((row, index) =>
    convertedJson(row, prices, { then: Number(ratesThen?.[index] ?? rateNow), now: Number(rateNow) }),
  )
}
