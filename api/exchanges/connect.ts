import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Connection, findConnection, readConnection } from '../../db/exchanges/read-connection.ts'
import { fingerprintOf, type Vault } from '../../db/exchanges/vault.ts'
import { type Credentials, type SupportedExchange, exchangeOf } from '../../db/values/exchanges.ts'
import { invalidParameter, notFound, unavailable } from '../errors.ts'
import { nameField } from '../body-fields.ts'
import type { RouteContext } from '../route.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Stores exchange credentials. null: no key to seal them is configured */
    vault: Vault | null
  }
}

/** What connecting needs of a request. */
type ConnectContext = Pick<RouteContext, 'db' | 'vault' | 'now'> & { account: { id: string } | null }

const POLL_MS = 100
/** Concurrent requests for the same account run one after the other, so each may need several attempts. */
const ATTEMPTS = 50

/** Printable text; private keys can have several lines. */
const credential = () =>
  z.string().regex(/^[\x20-\x7e\r\n]{1,4096}$/, 'It must be 1 to 4096 characters of printable ASCII')

/** Request body for connecting an exchange account. */
export const connectBody = z.strictObject({
  connectionId: z.string().min(1).max(64).describe('Exchange id from GET /exchange/support'),
  connectionFields: z
    .strictObject({
      apiKey: credential(),
      apiSecret: credential(),
      passphrase: credential().optional(),
    })
    .describe('The fields that GET /exchange/support lists for this exchange'),
  name: nameField().optional(),
})

/**
 * Lets the worker try the credentials and waits at most `vault.waitMs`. Without `activeVersion`, the worker
 * has not tried them yet. `existed`: the account was connected before. Throws 404 for an unknown exchange and
 * 400 for refused credentials.
 */
export async function connectExchange(
  context: ConnectContext,
  { connectionId, connectionFields, name }: z.output<typeof connectBody>,
): Promise<{ connection: Connection; existed: boolean }> {
  const { db, account, vault, now } = context
  const exchange = exchangeOf(connectionId)
  if (!exchange) throw notFound(`Exchange with id '${connectionId}' not found`)
  const credentials = credentialsFor(exchange, connectionFields)
  if (!vault || !account) throw unavailable()
  const key = { accountId: account.id, exchange: exchange.id, credentials }
  const fingerprint = fingerprintOf(key)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await findConnection(db, { ...key, fingerprint })
    const stored = known?.isGivenUp
      ? null
      : await vault.offer({ ...key, name: name ?? null, known, now: now() })
    if (stored)
      return {
        connection: await outcomeOf(context, { vault, accountId: account.id, ...stored }),
        existed: known?.isActive ?? false,
      }
    if (known?.isGivenUp) await sleep(POLL_MS)
  }
  throw unavailable()
}

/** Throws 400 unless the fields are exactly those of the exchange. */
function credentialsFor(
  exchange: SupportedExchange,
  fields: z.output<typeof connectBody>['connectionFields'],
): Credentials {
  const listed = new Set<string>(exchange.fields.map(({ key }) => key))
  if (listed.has('passphrase') !== (fields.passphrase !== undefined))
    throw invalidParameter('connectionFields', `It must have exactly the fields ${[...listed].join(', ')}`)
  const { passphrase, ...rest } = fields
  return { ...rest, ...(passphrase !== undefined && { passphrase }) }
}

/**
 * Waits until the worker has tried the credentials, at most `vault.waitMs`. Throws 400 when they are refused.
 */
async function outcomeOf(
  { db }: Pick<RouteContext, 'db'>,
  offered: { vault: Vault; accountId: string; connectionId: string; version: number },
): Promise<Connection> {
  const { vault, version } = offered
  const deadlineMs = performance.now() + vault.waitMs
  for (;;) {
    const connection = await readConnection(db, offered)
    if (!connection) throw unavailable()
    if ((connection.activeVersion ?? 0) >= version) return connection
    if ((connection.refusedVersion ?? 0) >= version)
      throw invalidParameter('connectionFields', sentence(connection.refusal!))
    if (performance.now() >= deadlineMs) return connection
    await sleep(POLL_MS)
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
