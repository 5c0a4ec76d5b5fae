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
  /** The exchange says that the clock is off: it is looked at again. */
  forgetClock: () => void
}

interface OpenDeps {
  pool: pg.Pool
  /** Key-encryption keys, the newest first. */
  exchangeKeys: readonly string[]
  clients: Clients
}

/** A client with the credentials of a connection, which exist in the clear only inside of it. */
export async function openConnection(
  deps: OpenDeps,
  input: { connectionId: string; version: number | 'active' },
): Promise<OpenConnection> {
  const offered = await readCredentials(deps.pool, input)
  if (!offered) throw new SourceRejected('exchanges', 'the connection has no such credentials')
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
