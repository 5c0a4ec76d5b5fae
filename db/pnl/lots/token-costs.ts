import { prepared, readText } from '../../read-sql.ts'
import type { ReadonlyDb } from '../../schema.ts'
import { decimal, type Decimal } from '../../values/decimal.ts'
import { type InUnits, inUnits, type Unit } from './fold-rows.ts'

/** A token in a wallet on a network; the address in lower case. */
export interface HeldToken {
  walletId: string
  networkId: string
  address: string
}

/**
 * $1 wallets, $2 networks, $3 addresses. A balance that the fold does not add up to has changed since, and units of
 * unknown cost leave no whole.
 */
const COSTS = prepared(
  'token_costs',
  `select asked.position::integer, state.cost_usd, state.cost_btc, state.cost_eth
  -- "offset 0" hides the number of tokens from the planner, which would otherwise plan every statement again.
  from (select $1::bigint[] as wallets, $2::text[] as networks, $3::text[] as addresses offset 0) as given
  cross join unnest(given.wallets, given.networks, given.addresses) with ordinality
    as asked (wallet_id, network_id, address, position)
  join balances as balance on balance.wallet_id = asked.wallet_id and balance.network_id = asked.network_id
    and balance.token_address = asked.address
  join books as book on book.wallet_id = asked.wallet_id and book.network_id = asked.network_id
  join scopes as scope on scope.book_id = book.id
  join folds as fold on fold.scope_id = scope.id and fold.method = 'average' and fold.folded_at is not null
  cross join lateral (select * from coin_folds
    where fold_id = fold.id and coin_id = balance.coin_id order by month desc limit 1) as state
  where state.unvalued_quantity = 0 and balance.raw > 0
    and state.quantity * 10::numeric ^ coalesce(balance.decimals, 0) = balance.raw`,
)

type CostRow = { position: number } & Record<`cost_${Unit}`, string>

/**
 * What the wallet paid for the units of each token that it holds, at average cost, in USD, BTC and ETH; null: it holds
 * none, a part has no known cost, or profit and loss lacks the latest change.
 */
export async function readTokenCosts(
  db: ReadonlyDb,
  tokens: readonly HeldToken[],
): Promise<(InUnits<Decimal> | null)[]> {
  const costs = tokens.map((): InUnits<Decimal> | null => null)
  if (tokens.length === 0) return costs
  const values = [
    tokens.map(({ walletId }) => walletId),
    tokens.map(({ networkId }) => networkId),
    tokens.map(({ address }) => address),
  ]
  for (const row of await readText<CostRow>(db, { text: COSTS, values }))
    costs[row.position - 1] = inUnits((unit) => decimal(row[`cost_${unit}`]))
  return costs
}
