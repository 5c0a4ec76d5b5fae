import type { Exchange } from 'ccxt'
import { type AssetAmount, storeBalances } from '../../db/exchanges/balances.ts'
import { acceptCredentials, refuseCredentials } from '../../db/exchanges/connections.ts'
import { identifyAssets } from '../../db/exchanges/assets.ts'
import { transact } from '../../db/transact.ts'
import { add, type Decimal, decimal, formatDecimal, isZero } from '../../db/values/decimal.ts'
import type { ActivityDeps } from '../deps.ts'
import { callExchange, KeyRefused } from './call-exchange.ts'
import type { ExchangeSpec } from './exchange.ts'
import type { OpenConnection } from './open-connection.ts'

export interface ConnectInput {
  connectionId: string
  version: number
}

/** Reasons that the API returns to the client. */
const REFUSALS = {
  off: 'this exchange is disabled on this server',
  key: 'the exchange refused these credentials',
  rights: (rights: readonly string[]) =>
    `the key may do more than read: ${[...new Set(rights)].join(', ')}; only read-only keys are accepted`,
}

/**
 * Tries offered credentials: the exchange must accept them and, if it tells their rights, they must be
 * read-only. Accepted credentials become active together with the first balances; refused ones are deleted.
 */
export async function tryCredentials(
  deps: Pick<ActivityDeps, 'pool' | 'now'>,
  open: () => Promise<OpenConnection>,
  input: ConnectInput,
): Promise<{ accepted: boolean }> {
  const outcome = await outcomeOf(await open())
  if (typeof outcome === 'string') {
    await refuseCredentials(deps.pool, { ...input, refusal: outcome })
    return { accepted: false }
  }
  const at = deps.now()
  return transact(deps.pool, async ({ client }) => {
    // Newer credentials were accepted in the meantime.
    if (!(await acceptCredentials(client, input))) return { accepted: false }
    await storeBalances(client, { connectionId: input.connectionId, ...outcome, fetchedAt: at })
    await identifyAssets(client, { connectionId: input.connectionId, at })
    return { accepted: true }
  })
}

/** Refuses the credentials because the exchange is off. */
export async function refuseUnavailable(
  deps: Pick<ActivityDeps, 'pool'>,
  input: ConnectInput,
): Promise<{ accepted: boolean }> {
  await refuseCredentials(deps.pool, { ...input, refusal: REFUSALS.off })
  return { accepted: false }
}

async function outcomeOf(
  exchange: OpenConnection,
): Promise<string | { balances: AssetAmount[]; source: string }> {
  const { spec, source } = exchange
  try {
    const rights = spec.rights ? await callExchange(exchange, spec.rights) : []
    if (rights.length > 0) return REFUSALS.rights(rights)
    return { balances: await callExchange(exchange, (client) => balancesOf(client, spec)), source }
  } catch (error) {
    if (error instanceof KeyRefused) return REFUSALS.key
    throw error
  }
}

/** Total balances of the account, free and in use, in all its wallets, without zero balances. */
export async function balancesOf(client: Exchange, { wallets = [{}] }: Pick<ExchangeSpec, 'wallets'>) {
  const sums = new Map<string, Decimal>()
  for (const wallet of wallets) {
    const answer = await client.fetchBalance(wallet)
    for (const [asset, total] of Object.entries((answer.total ?? {}) as unknown as Record<string, unknown>))
      if (typeof total === 'string') sums.set(asset, add(sums.get(asset) ?? decimal('0'), decimal(total)))
  }
  return [...sums].flatMap(([asset, sum]): AssetAmount[] =>
    isZero(sum) ? [] : [{ asset, amount: formatDecimal(sum) }],
  )
}
