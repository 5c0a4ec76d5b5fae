import type { ReadonlyDb } from '../schema.ts'
import { prepared, readText } from '../read-sql.ts'
import type { CostMethod } from '../pnl/lots/lot-pool.ts'

interface Common {
  id: string
  accountId: string
  /** Name given by the owner; null: none. */
  name: string | null
  costMethod: CostMethod
  /** Last sync of the exchange account, or see `wallet_coverage`; null: never, or a manual portfolio. */
  syncedAt: Date | null
  /** Time up to which its data is complete; null: never synced, or a manual portfolio. */
  asOf: Date | null
  /** Whether a sync was requested since the last one. Always false for a manual portfolio. */
  isRequested: boolean
  /** Whether everything that the source or follower of a wallet has seen is served. Else always true. */
  isCurrent: boolean
  /** Whether whatever happens reaches a wallet without a sync. */
  isFollowed: boolean
  /** Why a wallet that a follower covers is not current. */
  message: string | null
  /** When the balances of a wallet were last compared with the chain; null: never, or no wallet. */
  verifiedAt: Date | null
  /** Whether its figures contain all stored transactions; true before there are figures. */
  isComputed: boolean
  /** The same of the figures of all portfolios of its account combined. */
  isAccountComputed: boolean
  /** Whether nobody has tried yet to read the DeFi positions of a wallet on a network with protocols. */
  lacksPositions: boolean
}

/** A wallet on a network, an exchange account, or a manual portfolio. */
export type Portfolio = Common &
  (
    | {
        kind: 'wallet'
        address: string
        networkId: string
        networkName: string
        networkIcon: string
        /** Null: nothing was read yet. */
        walletId: string | null
      }
    /** Its id equals that of its connection. */
    | { kind: 'exchange'; venue: string }
    | { kind: 'manual' }
  )

/** $1 account, $2 one portfolio; null: all of the account. */
const PORTFOLIOS = prepared(
  'portfolios',
  `select p.id, p.account_id as "accountId", p.kind, p.name, p.cost_method as "costMethod",
    p.address, p.network_id as "networkId", network.name as "networkName", network.icon as "networkIcon",
    wallet.id as "walletId", connection.venue,
    coalesce(sync.synced_at, connection.synced_at) as "syncedAt",
    coalesce(sync.synced_at, connection.covered_to) as "asOf",
    case p.kind
      when 'wallet' then coalesce((
        select max(requested_at) from sync_requests where workflow_id = 'sync:' || p.address || ':' || p.network_id
      ) > coalesce(sync.synced_at, '-infinity'), false)
      when 'exchange' then coalesce((
        select max(requested_at) from exchange_sync_requests where workflow_id = 'exchange:' || p.id
      ) > coalesce(connection.synced_at, '-infinity'), false)
      else false end as "isRequested",
    p.kind <> 'wallet' or coalesce(sync.state = 'synced', false) as "isCurrent",
    coalesce(sync.followed, false) as "isFollowed", sync.message, sync.verified_at as "verifiedAt",
    not (p.kind <> 'wallet' and exists (select from uncomputed_figures where portfolio_id = p.id))
      and not exists (select from uncomputed_figures where book_id = book.id)
      -- The first coins of a book, and those of a newly chosen cost method.
      and (book.id is null or exists (
        select from scopes join folds on folds.scope_id = scopes.id
        where scopes.book_id = book.id and folds.method = p.cost_method and folds.folded_at is not null))
      as "isComputed",
    not exists (select from uncomputed_figures where account_id = $1) as "isAccountComputed",
    p.kind = 'wallet' and exists (select from defi_deployments where network_id = p.network_id)
      and not exists (select from defi_reads where wallet_id = wallet.id and network_id = p.network_id)
      as "lacksPositions"
  from portfolios as p
  left join networks as network on network.id = p.network_id
  left join wallets as wallet on wallet.address = p.address
  left join wallet_coverage as sync on sync.wallet_id = wallet.id and sync.network_id = p.network_id
  left join exchange_connections as connection on connection.id = p.id
  left join books as book on book.wallet_id = wallet.id and book.network_id = p.network_id
    or book.connection_id = connection.id or book.portfolio_id = p.id
  where p.account_id = $1 and ($2::uuid is null or p.id = $2)
  order by p.created_at, p.id`,
)

/** Every portfolio of an account, the oldest first. */
export const readPortfolios = (db: ReadonlyDb, { accountId }: { accountId: string }): Promise<Portfolio[]> =>
  readText(db, { text: PORTFOLIOS, values: [accountId, null] })

/** A portfolio of the account; undefined if it does not exist or belongs to another account. */
export async function readPortfolio(
  db: ReadonlyDb,
  { accountId, portfolioId }: { accountId: string; portfolioId: string },
): Promise<Portfolio | undefined> {
  const rows = await readText<Portfolio>(db, { text: PORTFOLIOS, values: [accountId, portfolioId] })
  return rows[0]
}
