import type { ReadonlyDb } from '../connect.ts'
import { prepared, readText } from '../read-sql.ts'
import type { ServedRow } from './served-row.ts'

/** Neither JSON nor numbers hold it as such; the table keeps symbols free of control characters. */
const SEPARATOR = '\u001f'

export interface PageRequest {
  /** Canonical address. */
  address: string
  /** One network, or '' for all networks that are synced. */
  network: string
  /** Rows before the page. */
  offset: number
  limit: number
}

export interface WalletPage {
  /** When the oldest of its networks was synced; null: none of them is. */
  asOf: Date | null
  rows: ServedRow[]
}

/**
 * Pages of many wallets in one statement. A page starts at the anchor next above its first row, so that its depth costs
 * nothing. Of each row only what the answer needs comes back, one text for each column of a page: parsing rows costs more.
 */
const pagesOf = (name: string, part: { networks: string; key: string; order: string }) =>
  prepared(
    name,
    `select request.position::integer, sync.as_of, page.*
    -- Behind "offset 0" the planner does not see how many pages these are, or it would plan every statement anew.
    from (select $1::text[] as addresses, $2::text[] as networks, $3::bigint[] as starts, $4::bigint[] as sizes offset 0)
      as asked
    cross join unnest(asked.addresses, asked.networks, asked.starts, asked.sizes)
      with ordinality as request (address, network, start, size, position)
    left join wallets as wallet on wallet.address = request.address
    left join lateral (
      select array_agg(network_id) as networks, min(synced_at) as as_of
      from wallet_syncs
      where wallet_id = wallet.id and synced_at is not null and request.network in ('', network_id)
    ) as sync on true
    left join wallet_transaction_counts as total on total.wallet_id = wallet.id and total.series = request.network
    left join lateral (
      -- The limit has the whole key looked up; as a plain join all anchors of the wallet would be read.
      select * from wallet_transaction_anchors
      where wallet_id = wallet.id and series = request.network
        and rank = (total.rows - request.start + 49) / 50 * 50
      limit 1
    ) as anchor on true
    left join lateral (
      select string_agg(coalesce(main_coin_id, ''), '${SEPARATOR}') as coin_ids,
        string_agg(coalesce(main_symbol, ''), '${SEPARATOR}') as symbols,
        string_agg(coalesce(main_count::text, ''), '${SEPARATOR}') as counts,
        string_agg(coalesce(main_value_usd::text, ''), '${SEPARATOR}') as values_usd,
        string_agg(fragment, '${SEPARATOR}') as fragments
      from (
        select main_coin_id, main_symbol, main_count, main_value_usd, fragment
        from wallet_transactions as row
        where row.wallet_id = wallet.id and ${part.networks}
          and (${part.key}) <= (${part.key
            .replaceAll('row.', 'anchor.')
            .replace('anchor.at', `coalesce(anchor.at, 'infinity')`)})
        order by ${part.order}
        limit case when total.rows <= request.start then 0 else request.size end
        offset coalesce(anchor.rank - total.rows + request.start, request.start)
      ) as newest
    ) as page on true`,
  )

const ofOneNetwork = pagesOf('wallet-pages-of-network', {
  networks: 'row.network_id = request.network',
  key: 'row.at, row.tx_index, row.hash',
  order: 'row.at desc, row.tx_index desc, row.hash desc',
})
const ofAllNetworks = pagesOf('wallet-pages-of-all', {
  networks: 'row.network_id = any(sync.networks)',
  key: 'row.at, row.network_id, row.tx_index, row.hash',
  order: 'row.at desc, row.network_id desc, row.tx_index desc, row.hash desc',
})

/** One page per request, in their order; all of one network each, or all of all networks. */
export async function readWalletPages(
  db: ReadonlyDb,
  options: { allNetworks: boolean; requests: readonly PageRequest[] },
): Promise<WalletPage[]> {
  const { requests } = options
  const rows = await readText<{ position: number; as_of: Date | null } & PageColumns>(db, {
    text: options.allNetworks ? ofAllNetworks : ofOneNetwork,
    values: [
      requests.map(({ address }) => address),
      requests.map(({ network }) => network),
      requests.map(({ offset }) => offset),
      requests.map(({ limit }) => limit),
    ],
  })
  // Put in order here: the database would copy the pages to sort them.
  const pages: WalletPage[] = []
  for (const row of rows) pages[row.position - 1] = { asOf: row.as_of, rows: rowsOf(row) }
  return pages
}

/** Each null: the page is empty. */
interface PageColumns {
  coin_ids: string | null
  symbols: string | null
  counts: string | null
  values_usd: string | null
  fragments: string | null
}

function rowsOf({ coin_ids, symbols, counts, values_usd, fragments }: PageColumns): ServedRow[] {
  if (coin_ids === null || symbols === null || counts === null || values_usd === null || fragments === null)
    return []
  const parts = {
    symbols: symbols.split(SEPARATOR),
    counts: counts.split(SEPARATOR),
    values: values_usd.split(SEPARATOR),
    fragments: fragments.split(SEPARATOR),
  }
  return coin_ids.split(SEPARATOR).map((coinId, i) => ({
    main:
      coinId === ''
        ? null
        : {
            coinId,
            symbol: parts.symbols[i]!,
            count: parts.counts[i]!,
            valueUsd: parts.values[i]! === '' ? null : parts.values[i]!,
          },
    fragment: parts.fragments[i]!,
  }))
}
