import type { Exchange } from 'ccxt'
import type pg from 'pg'
import { type OfferedCredentials, readCredentials } from '../../db/exchanges/connections.ts'
import { openSecret } from '../../db/values/sealed-secret.ts'
import type { Credentials } from '../../db/values/exchanges.ts'
import { SourceRejected } from '../errors.ts'
import type { Clients } from './ccxt-client.ts'
import type { ExchangeSpec } from './exchange.ts'
import { exchangeSpec } from './exchanges.ts'

export interface OpenConnection {
  spec: ExchangeSpec
  source: string
  client: Exchange
  /** Makes the next client measure the clock again, after the exchange refused a timestamp. */
  forgetClock: () => void
}

interface OpenDeps {
  pool: pg.Pool
  /** Key-encryption keys, newest first. */
  exchangeKeys: readonly string[]
  clients: Clients
}

/** Opens a client for a connection. Only the client holds the decrypted credentials. */
export async function openConnection(
  deps: OpenDeps,
  input: { connectionId: string; version: number | 'active' },
): Promise<OpenConnection> {
  const offered = await readCredentials(deps.pool, input)
  if (!offered)
    throw new SourceRejected('exchanges', 'these credentials are not stored; connect the account again')
  const spec = exchangeSpec(offered.exchange)
  const client = await deps.clients.open(spec, unsealed(offered, deps.exchangeKeys))
  return { spec, source: spec.source.name, client, forgetClock: () => deps.clients.forget(spec) }
}

function unsealed(offered: OfferedCredentials, privateKeys: readonly string[]): Credentials {
  const { accountId, connectionId, version, sealed } = offered
  return JSON.parse(
    openSecret({ sealed, context: { accountId, connectionId, version }, privateKeys }),
  ) as Credentials
}
