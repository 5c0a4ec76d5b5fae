import type { ReadonlyDb } from '../schema.ts'
import { prepared, readText } from '../read-sql.ts'
import { REVISIONS_TEXT } from '../revisions/read-revisions.ts'
import type { PortfolioChoice, WalletChoice } from './holders.ts'

/** On what figures rest. Another `version`: rows of the portfolio or wallet may differ. */
export interface FigureState {
  /**
   * Versions of the rows that each write of the data also writes, in its transaction; null: no such wallet or
   * portfolio, or its figures lack data.
   */
  version: string | null
  /** Everything up to this time is in the figures; null: they have no time. */
  asOf: Date | null
  /** Of all tables, at the same instant: see readRevisions. */
  revisions: string
}

interface StateRow {
  position: number
  version: string | null
  as_of: Date | null
  revisions: string
}

/** Versions of the scopes and folds that a condition selects. */
const foldsOf = (condition: string) => `(
  select string_agg(row(scope.id, scope.xmin, fold.id, fold.xmin)::text, '' order by scope.id, fold.id)
  from scopes as scope left join folds as fold on fold.scope_id = scope.id where ${condition}
)`

/**
 * $1 accounts, $2 portfolios. Whoever writes legs, days or coins of a book also writes its row of `pl_states`,
 * or that of the fold: they are marked, or computed. Rows that wait to become legs are looked up.
 */
const OF_PORTFOLIOS = prepared(
  'portfolio_figure_states',
  `select request.position::integer, found.as_of, ${REVISIONS_TEXT} as revisions, case when found.is_whole then md5(concat(found.version,
      ${foldsOf('request.portfolio_id is null and scope.account_id = request.account_id')})) end as version
  -- "offset 0" hides the number of requests from the planner, which would otherwise plan every statement again.
  from (select $1::uuid[] as accounts, $2::uuid[] as portfolios offset 0) as asked
  cross join unnest(asked.accounts, asked.portfolios) with ordinality as request (account_id, portfolio_id, position)
  cross join lateral (
    select min(one.as_of) as as_of, bool_and(one.is_whole) as is_whole,
      string_agg(one.version, ' ' order by one.id) as version
    from (
      select p.id, case p.kind when 'wallet' then sync.synced_at when 'exchange' then connection.covered_to end as as_of,
        case p.kind
          when 'wallet' then sync.synced_at is not null
          when 'exchange' then connection.synced_at is not null
            and not exists (select from exchange_transactions where connection_id = p.id and not derived)
          else true
        end and (p.kind = 'wallet' or not exists (
          select from manual_transactions where portfolio_id = p.id and not derived)) as is_whole,
        row(p.xmin, connection.xmin, book.id, state.xmin, read.xmin, ${foldsOf('scope.book_id = book.id')})::text as version
      from portfolios as p
      left join wallets as wallet on wallet.address = p.address
      left join wallet_coverage as sync on sync.wallet_id = wallet.id and sync.network_id = p.network_id
      left join exchange_connections as connection on connection.id = p.id
      left join books as book on book.wallet_id = wallet.id and book.network_id = p.network_id
        or book.connection_id = connection.id or book.portfolio_id = p.id
      left join pl_states as state on state.book_id = book.id
      left join defi_reads as read on read.wallet_id = wallet.id and read.network_id = p.network_id
      where p.account_id = request.account_id and (request.portfolio_id is null or p.id = request.portfolio_id)
    ) as one
  ) as found`,
)

/** States of the figures of portfolios, in the order of the choices. Read before the figures. */
export const readPortfolioStates = (
  db: ReadonlyDb,
  choices: readonly PortfolioChoice[],
): Promise<FigureState[]> =>
  readStates(db, {
    text: OF_PORTFOLIOS,
    values: [choices.map(({ accountId }) => accountId), choices.map(({ portfolioId }) => portfolioId)],
    length: choices.length,
  })

/** $1 addresses, $2 networks and $3 kinds of the networks of wallets, $4 the request of each. */
const OF_WALLETS = prepared(
  'wallet_figure_states',
  `select item.request::integer as position, min(coverage.synced_at) as as_of, ${REVISIONS_TEXT} as revisions,
    case when bool_and(coverage.synced_at is not null) then md5(string_agg(
      row(network.id, book.id, state.xmin, ${foldsOf(
        'scope.book_id = book.id or scope.wallet_id = sync.wallet_id',
      )})::text, ' ' order by item.position, network.id)) end as version
  -- "offset 0": see above.
  from (select $1::text[] as addresses, $2::text[] as networks, $3::text[] as kinds, $4::integer[] as requests offset 0) as asked
  cross join unnest(asked.addresses, asked.networks, asked.kinds, asked.requests)
    with ordinality as item (address, network, kind, request, position)
  join networks as network on network.id = item.network or item.network = 'all' and network.in_all and network.kind = item.kind
  left join wallets as wallet on wallet.address = item.address
  left join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = network.id
  left join wallet_coverage as coverage
    on coverage.wallet_id = sync.wallet_id and coverage.network_id = sync.network_id
  left join books as book on book.wallet_id = sync.wallet_id and book.network_id = sync.network_id
  left join pl_states as state on state.book_id = book.id
  where item.network <> 'all' or network.active or sync.synced_at is not null
  group by item.request`,
)

/** States of the figures of wallets together, in the order of the requests. Read before the figures. */
export const readWalletStates = (
  db: ReadonlyDb,
  requests: readonly (readonly WalletChoice[])[],
): Promise<FigureState[]> => {
  const items = requests.flatMap((wallets, index) =>
    wallets.map((wallet) => ({ ...wallet, request: index + 1 })),
  )
  return readStates(db, {
    text: OF_WALLETS,
    values: [
      items.map(({ address }) => address),
      items.map(({ network }) => network),
      items.map(({ kind }) => kind),
      items.map(({ request }) => request),
    ],
    length: requests.length,
  })
}

async function readStates(
  db: ReadonlyDb,
  { length, ...statement }: { text: string; values: readonly unknown[]; length: number },
): Promise<FigureState[]> {
  const states = Array.from({ length }, (): FigureState => ({ version: null, asOf: null, revisions: '' }))
  for (const { position, as_of: asOf, ...state } of await readText<StateRow>(db, statement))
    states[position - 1] = { ...state, asOf }
  return states
}
