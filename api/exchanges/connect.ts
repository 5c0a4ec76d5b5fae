import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Connection, findConnection, readConnection } from '../../db/exchanges/read-connection.ts'
import { fingerprintOf, type Vault } from '../../db/exchanges/vault.ts'
import { type Credentials, type SupportedExchange, exchangeOf } from '../../db/values/exchanges.ts'
import { badRequest, invalidParameter, notFound, unavailable } from '../errors.ts'
import { nameField } from '../params.ts'
import type { RouteContext } from '../route.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Stores credentials. null: the installation has no key to seal them with. */
    vault: Vault | null
  }
}

const POLL_MS = 100
/** Requests that connect the same account at the same time follow each other. */
const ATTEMPTS = 50

/** Printable text; private keys may be of several lines. */
const credential = () => z.string().regex(/^[\x20-\x7e\r\n]{1,4096}$/)

/** Body of the requests that connect an account at an exchange. */
export const connectBody = z.strictObject({
  connectionId: z.string().min(1).max(64).describe('From GET /exchange/support'),
  connectionFields: z
    .strictObject({
      apiKey: credential(),
      apiSecret: credential(),
      passphrase: credential().optional(),
    })
    .describe('The fields that GET /exchange/support lists for the exchange'),
  name: nameField().optional(),
})

/**
 * Has the worker try the credentials, as long as a client can be expected to wait: without `activeVersion` it has not
 * come to it. `existed`: the account was connected before. Throws 404 for an unknown exchange, 400 for credentials that
 * are refused.
 */
export async function connectExchange(
  context: RouteContext,
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

/** Exactly the fields that the exchange lists. Throws 400. */
function credentialsFor(
  exchange: SupportedExchange,
  fields: z.output<typeof connectBody>['connectionFields'],
): Credentials {
  const listed = new Set<string>(exchange.fields.map(({ key }) => key))
  if (listed.has('passphrase') !== (fields.passphrase !== undefined))
    throw invalidParameter('connectionFields')
  const { passphrase, ...rest } = fields
  return { ...rest, ...(passphrase !== undefined && { passphrase }) }
}

/** Waits until the worker has tried the credentials, as long as a client can be expected to. Throws 400 when refused. */
async function outcomeOf(
  { db }: RouteContext,
  offered: { vault: Vault; accountId: string; connectionId: string; version: number },
): Promise<Connection> {
  const { vault, version } = offered
  const deadlineMs = performance.now() + vault.waitMs
  for (;;) {
    const connection = await readConnection(db, offered)
    if (!connection) throw unavailable()
    if ((connection.activeVersion ?? 0) >= version) return connection
    if ((connection.refusedVersion ?? 0) >= version)
      throw badRequest(`Invalid parameter: connectionFields (${connection.refusal})`)
    if (performance.now() >= deadlineMs) return connection
    await sleep(POLL_MS)
  }
}
