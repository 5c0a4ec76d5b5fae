import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readHeldAssets } from '../../db/exchanges/read-balances.ts'
import { type Connection, findConnection, readConnection } from '../../db/exchanges/read-connection.ts'
import { fingerprintOf, type Vault } from '../../db/exchanges/vault.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import { fiatCoinId } from '../../db/values/fiat-coin.ts'
import { type Credentials, type Venue, venueOf } from '../../db/values/venues.ts'
import { badRequest, invalidParameter, notFound, unavailable } from '../errors.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { oldest, ratio, toNumber } from '../shapes.ts'
import { syncStatusOf } from './connection.ts'

const POLL_MS = 100
/** Requests that connect the same account at the same time follow each other. */
const ATTEMPTS = 10

/** Printable text; private keys may be of several lines. */
const credential = () => z.string().regex(/^[\x20-\x7e\r\n]{1,4096}$/)

const body = z.strictObject({
  connectionId: z.string().min(1).max(64).describe('From GET /exchange/support'),
  connectionFields: z
    .strictObject({
      apiKey: credential(),
      apiSecret: credential(),
      passphrase: credential().optional(),
    })
    .describe('The fields that GET /exchange/support lists for the exchange'),
  name: z
    .string()
    .regex(/^[^\p{C}]{1,100}$/u)
    .optional(),
})

export const postExchangeBalance = defineRoute({
  method: 'POST',
  path: '/exchange/balance',
  tag: 'Exchanges',
  summary: 'Connects an account at an exchange and answers its balances',
  description:
    'The credentials are tried at the exchange before anything is charged: 400 when it refuses them, or when it says that the key may do more than read. They are stored encrypted and never answered. The same key again gives the same portfolio id. `balances` is empty while the exchange has not answered yet: ask again. The history is read from PATCH /exchange/sync on.',
  requestBody: body,
  response: z.object({
    balances: z.array(
      z.object({
        coinId: z.string().describe('The asset of the exchange where the coin is unknown'),
        amount: z.number(),
        price: z.number().describe('USD, 0 when unknown'),
        priceBtc: z.number(),
      }),
    ),
    portfolio: z.object({
      id: z.string(),
      status: z.enum(['syncing', 'synced']),
      connectionId: z.string(),
      name: z.string().optional(),
    }),
  }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ body: { connectionId, connectionFields, name } }, context) {
    const venue = venueOf(connectionId)
    if (!venue) throw notFound(`Exchange with id '${connectionId}' not found`)
    const connection = await connect(context, {
      venue,
      credentials: credentialsFor(venue, connectionFields),
      name: name ?? null,
    })
    const held = connection.activeVersion === null ? [] : await readHeldAssets(context.db, connection.id)
    const bitcoin = await readCurrentPrice(context.db, 'bitcoin')
    return {
      body: {
        balances: held.map(({ asset, coinId, currency, amount, priceUsd }) => ({
          coinId: coinId ?? (currency === null ? asset : fiatCoinId(currency)),
          amount: toNumber(amount),
          price: toNumber(priceUsd ?? '0'),
          priceBtc: ratio(priceUsd ?? '0', bitcoin?.priceUsd ?? '0'),
        })),
        portfolio: {
          id: connection.id,
          status: syncStatusOf(connection),
          connectionId: connection.venue,
          ...(connection.name !== null && { name: connection.name }),
        },
      },
      asOf: oldest(held.map(({ fetchedAt }) => fetchedAt)),
    }
  },
})

/** Exactly the fields that the venue lists. Throws 400. */
function credentialsFor(venue: Venue, fields: z.output<typeof body>['connectionFields']): Credentials {
  const listed = new Set<string>(venue.fields.map(({ key }) => key))
  if (listed.has('passphrase') !== (fields.passphrase !== undefined))
    throw invalidParameter('connectionFields')
  const { passphrase, ...rest } = fields
  return { ...rest, ...(passphrase !== undefined && { passphrase }) }
}

async function connect(
  context: RouteContext,
  offer: { venue: Venue; credentials: Credentials; name: string | null },
): Promise<Connection> {
  const { db, account, vault, now } = context
  if (!vault || !account) throw unavailable()
  const key = { accountId: account.id, venue: offer.venue.id, credentials: offer.credentials }
  const fingerprint = fingerprintOf(key)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await findConnection(db, { ...key, fingerprint })
    const stored = await vault.offer({ ...key, name: offer.name, known, now: now() })
    if (stored) return outcomeOf(context, { vault, accountId: account.id, ...stored })
  }
  throw unavailable()
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
