import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { rotateSecrets } from '../../db/exchanges/rotate-secrets.ts'
import { createAccount } from '../../db/metering/write.ts'
import { createSealingKey, openSecret, sealSecret, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// Credentials of each account and of each version keep what they are when keys change.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const [first, second, third] = [createSealingKey(), createSealingKey(), createSealingKey()]
const VERSIONS = [1, 2]
const CONNECTIONS = [randomUUID(), randomUUID()]
let accountId: string

async function offer(connectionId: string, version: number): Promise<void> {
  const { keyId, wrappedKey, ciphertext } = sealSecret({
    secret: `${connectionId} ${version}`,
    context: { accountId, connectionId, version },
    publicKey: sealingPublicKey(first),
  })
  await run('insert into exchange_secrets values ($1, $2, $3, $4, $5, $6)', [
    connectionId,
    version,
    accountId,
    keyId,
    wrappedKey,
    ciphertext,
  ])
}

beforeAll(async () => {
  accountId = (await createAccount(owner.db, { name: 'test', plan: 'pro' })).accountId
  for (const id of CONNECTIONS) {
    await run(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version) values ($1, $2, 'kraken', $3, 2)`,
      [id, accountId, createHash('sha256').update(id).digest()],
    )
    for (const version of VERSIONS) await offer(id, version)
  }
})

/** Whose secrets a key opens, each with its own context. */
async function opened(privateKey: string): Promise<string[]> {
  const rows = await run<{
    connection_id: string
    version: number
    key_id: string
    wrapped_key: Buffer
    ciphertext: Buffer
  }>('select * from exchange_secrets order by connection_id, version')
  return rows.map((row) =>
    openSecret({
      sealed: { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext },
      context: { accountId, connectionId: row.connection_id, version: row.version },
      privateKeys: [privateKey],
    }),
  )
}
const ALL = CONNECTIONS.toSorted().flatMap((id) => VERSIONS.map((version) => `${id} ${version}`))

test('each version of the credentials of each account opens with the newest key alone', async () => {
  expect(await rotateSecrets(owner.db, [second, first])).toEqual({ rotated: 4 })
  expect(await opened(second)).toEqual(ALL)
  await expect(opened(first)).rejects.toThrow()
})

test('more than one batch is moved, and a second run moves none', async () => {
  for (let version = 3; version <= 102; version++) await offer(CONNECTIONS[0]!, version)
  expect(await rotateSecrets(owner.db, [third, second, first])).toEqual({ rotated: 104 })
  expect(await opened(third)).toHaveLength(104)
  expect(await rotateSecrets(owner.db, [third])).toEqual({ rotated: 0 })
})
