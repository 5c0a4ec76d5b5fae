import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql, prepared, readText } from '../read-sql.ts'
import { type ServedColumns, type ServedRow, servedRow, PAGE_TEXT } from './served-transaction.ts'

export const TRANSACTION_TYPES = ['deposit', 'withdraw', 'approve', 'executed', 'balance', 'fee'] as const
type TransactionType = (typeof TRANSACTION_TYPES)[number]

/** A wallet on a network. */
export interface WalletNetwork {
  walletId: string
  networkId: string
}

export interface TransactionFilter {
  /** Inclusive. */
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  types?: readonly TransactionType[] | undefined
  coinId?: string | undefined
  /** Hash of the transaction. */
  txId?: string | undefined
  hideUnidentifiedCoins: boolean
}

function conditions(filter: TransactionFilter): RawBuilder<boolean>[] {
  const { from, to, types, coinId, txId } = filter
  const all: RawBuilder<boolean>[] = []
  if (from) all.push(sql`row.at >= ${from}`)
  if (to) all.push(sql`row.at < ${to}`)
  if (types) all.push(sql`row.type = any(${[...types]}::text[])`)
  if (coinId !== undefined) all.push(sql`${coinId} = any(row.coin_ids)`)
  // The XRP Ledger writes its hashes in upper case.
  if (txId !== undefined) all.push(sql`row.hash in (${txId}, upper(${txId}))`)
  if (filter.hideUnidentifiedCoins) all.push(sql`row.identified`)
  return all
}

/** Matching transactions of all given wallets in one list, newest first. */
export async function readTransactions(
  db: ReadonlyDb,
  query: { wallets: readonly WalletNetwork[]; filter: TransactionFilter; offset: number; limit: number },
): Promise<ServedRow[]> {
  const { wallets, filter, offset, limit } = query
  const matching = sql.join(
    [sql`row.wallet_id = wallet.id`, sql`row.network_id = wallet.network_id`, ...conditions(filter)],
    sql` and `,
  )
  // Each wallet contributes as many rows as could be on the page, in the order of its index.
  const rows = await readSql(
    db,
    sql<ServedColumns>`
      select row.main_coin_id, row.main_symbol, row.main_count, row.main_value_usd, row.fragment
      from unnest(${wallets.map(({ walletId }) => walletId)}::bigint[],
        ${wallets.map(({ networkId }) => networkId)}::text[]) as wallet (id, network_id)
      cross join lateral (
        select row.* from wallet_transactions as row where ${matching}
        order by row.at desc, row.tx_index desc, row.hash desc limit ${offset + limit}
      ) as row
      order by row.at desc, row.network_id desc, row.tx_index desc, row.hash desc, row.wallet_id desc
      limit ${limit} offset ${offset}`,
  )
  return rows.map(servedRow)
}

/**
 * Transactions by the index of their key, without deleted ones. The instants of keys are in whole
 * milliseconds.
 */
export async function readTransactionsByKey(
  db: ReadonlyDb,
  keys: readonly (WalletNetwork & { at: Date; hash: string })[],
): Promise<Map<number, ServedRow>> {
  if (keys.length === 0) return new Map()
  const rows = await readSql(
    db,
    sql<ServedColumns & { index: number }>`
      select position::integer - 1 as index, row.main_coin_id, row.main_symbol, row.main_count, row.main_value_usd,
        row.fragment
      from unnest(${keys.map(({ walletId }) => walletId)}::bigint[], ${keys.map(({ networkId }) => networkId)}::text[],
        ${keys.map(({ at }) => at)}::timestamptz[], ${keys.map(({ hash }) => hash)}::text[]) with ordinality
        as asked (wallet_id, network_id, at, hash, position)
      join wallet_transactions as row on row.wallet_id = asked.wallet_id and row.network_id = asked.network_id
        and row.at >= asked.at and row.at < asked.at + interval '1 millisecond' and row.hash = asked.hash`,
  )
  return new Map(rows.map((row) => [row.index, servedRow(row)]))
}

export interface PageRequest {
  /** Canonical address. */
  address: string
  /** One network, or '' for all synced networks. */
  network: string
  /** Rows before the page. */
  offset: number
  limit: number
  /** Revision of the caller's cached copy of the page; null: not cached. */
  known: string | null
}

export interface WalletPage {
  /** Everything on the networks up to this time is served; null: none is synced. */
  asOf: Date | null
  /** Whether a network of the request that has a source is not synced. */
  isPartial: boolean
  /** Equal revisions mean equal pages. Null: the page has none. */
  revision: string | null
  /** See `rowsOf`; null: the cached page is current. */
  text: string | null
}

/**
 * Reads pages of many wallets in one statement. A page starts at the next anchor above its first row, so deep
 * pages cost no more than the first. Returns only the columns that the response needs, and only the revision
 * of a cached page that is current.
 */
const pagesOf = (name: string, part: { networks: string; partial: string; key: string; order: string }) =>
  prepared(
    name,
    `select request.position::integer, sync.as_of, ${part.partial} as is_partial, total.revision, page.text
    -- "offset 0" hides the number of pages from the planner, which would otherwise plan every statement again.
    from (select $1::text[] as addresses, $2::text[] as networks, $3::bigint[] as starts, $4::bigint[] as sizes,
      $5::uuid[] as revisions offset 0) as asked
    cross join unnest(asked.addresses, asked.networks, asked.starts, asked.sizes, asked.revisions)
      with ordinality as request (address, network, start, size, known, position)
    left join wallets as wallet on wallet.address = request.address
    left join lateral (
      select array_agg(network_id) as networks, min(synced_at) as as_of
      from wallet_coverage
      where wallet_id = wallet.id and synced_at is not null and (request.network = network_id
        or request.network = '' and exists (select from networks where id = network_id and in_all))
    ) as sync on true
    left join wallet_transaction_counts as total on total.wallet_id = wallet.id and total.series = request.network
    left join lateral (
      -- With the limit Postgres looks up the whole key. A plain join reads all anchors of the wallet.
      select * from wallet_transaction_anchors
      where wallet_id = wallet.id and series = request.network
        and rank = (total.rows - request.start + 49) / 50 * 50 and total.revision is distinct from request.known
      limit 1
    ) as anchor on true
    left join lateral (
      select ${PAGE_TEXT} as text
      from (
        select main_coin_id, main_symbol, main_count, main_value_usd, fragment
        from wallet_transactions as row
        where row.wallet_id = wallet.id and ${part.networks}
          and (${part.key}) <= (${part.key
            .replaceAll('row.', 'anchor.')
            .replace('anchor.at', `coalesce(anchor.at, 'infinity')`)})
        order by ${part.order}
        limit case when total.rows <= request.start or total.revision = request.known then 0 else request.size end
        offset coalesce(anchor.rank - total.rows + request.start, request.start)
      ) as newest
    ) as page on true`,
  )

const ofOneNetwork = pagesOf('wallet-pages-of-network', {
  networks: 'row.network_id = request.network',
  partial: 'false',
  key: 'row.at, row.tx_index, row.hash',
  order: 'row.at desc, row.tx_index desc, row.hash desc',
})
const ofAllNetworks = pagesOf('wallet-pages-of-all', {
  networks: 'row.network_id = any(sync.networks)',
  // The networks of a wallet are of one kind.
  partial: `exists (
    select from networks as other where other.active and other.in_all and other.id <> all (sync.networks)
      and other.kind = (select kind from networks where id = sync.networks[1])
  )`,
  key: 'row.at, row.network_id, row.tx_index, row.hash',
  order: 'row.at desc, row.network_id desc, row.tx_index desc, row.hash desc',
})

/**
 * Returns one page per request, in order. Either every request names one network, or every one is for all
 * networks.
 */
export async function readWalletPages(
  db: ReadonlyDb,
  options: { allNetworks: boolean; requests: readonly PageRequest[] },
): Promise<WalletPage[]> {
  const { requests } = options
  const rows = await readText<PageRow>(db, {
    text: options.allNetworks ? ofAllNetworks : ofOneNetwork,
    values: [
      requests.map(({ address }) => address),
      requests.map(({ network }) => network),
      requests.map(({ offset }) => offset),
      requests.map(({ limit }) => limit),
      requests.map(({ known }) => known),
    ],
  })
  // Sorted here, because the database would copy the pages to sort them.
  const pages: WalletPage[] = []
  for (const { position, as_of: asOf, is_partial: isPartial, revision, text } of rows) {
    const isKnown = revision !== null && revision === requests[position - 1]!.known
    pages[position - 1] = { asOf, isPartial, revision, text: isKnown ? null : text }
  }
  return pages
}

interface PageRow {
  position: number
  as_of: Date | null
  is_partial: boolean
  revision: string | null
  text: string
}
