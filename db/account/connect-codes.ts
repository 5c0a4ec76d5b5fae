import type pg from 'pg'
import { createConnectCode, hashConnectCode } from '../values/connect-code.ts'
import type { ReadonlyDb } from '../schema.ts'
import { isNetworkId, type NetworkId } from '../values/networks.ts'
import type { ConnectKit } from './kits.ts'

/** The kit that its users see, with the account that gets their connections. null: none has this id. */
export async function readKit(
  pool: pg.Pool,
  kitId: string,
): Promise<(ConnectKit & { accountId: string }) | null> {
  const { rows } = await pool.query<ConnectKit & { accountId: string }>(
    `select account_id as "accountId", id, name, logo, appearance, accent, mode, origins,
       redirect_urls as "redirectUrls"
     from connect_kit($1)`,
    [kitId],
  )
  return rows[0] ?? null
}

/** A wallet to connect once the code is redeemed, or an exchange account that is connected already. */
export interface ConnectionChoice {
  /** Of a wallet that is not connected yet: the id that it gets. */
  portfolioId: string
  /** null: an exchange account. */
  wallet: { address: string; networkId: NetworkId } | null
  /** An exchange account that was connected before. */
  existed: boolean
  /** Of the message that the wallet signed; null: it signed none. */
  nonce: string | null
}

/** A choice whose code is valid. */
export type KeptChoice = Omit<ConnectionChoice, 'nonce'> & { kitId: string; isSigned: boolean }

/** Keeps a choice and returns its code, which is not stored. null: the kit is gone, or the nonce was used. */
export async function keepChoice(
  pool: pg.Pool,
  { kitId, portfolioId, wallet, existed, nonce }: ConnectionChoice & { kitId: string },
): Promise<string | null> {
  const code = createConnectCode()
  const { rows } = await pool.query<{ done: boolean }>(
    'select create_connect_code($1, $2, $3, $4, $5, $6, $7) as done',
    [kitId, hashConnectCode(code), portfolioId, wallet?.address, wallet?.networkId, existed, nonce],
  )
  return rows[0]!.done ? code : null
}

/** The choice of a code of the account; undefined: the code is unknown, expired or redeemed. */
export async function readChoice(
  db: ReadonlyDb,
  { accountId, code }: { accountId: string; code: string },
): Promise<KeptChoice | undefined> {
  const row = await db
    .selectFrom('connect_codes')
    .select(({ fn, eb }) => [
      'kit_id',
      'portfolio_id',
      'address',
      'network_id',
      'existed',
      'nonce',
      eb('expires_at', '>', fn<Date>('now')).as('isValid'),
    ])
    .where('hash', '=', hashConnectCode(code))
    .where('account_id', '=', accountId)
    .where('redeemed_at', 'is', null)
    .executeTakeFirst()
  if (!row?.isValid) return undefined
  const { kit_id: kitId, portfolio_id: portfolioId, address, network_id: networkId, existed, nonce } = row
  const wallet =
    address !== null && networkId !== null && isNetworkId(networkId) ? { address, networkId } : null
  return { kitId, portfolioId, wallet, existed, isSigned: nonce !== null }
}
