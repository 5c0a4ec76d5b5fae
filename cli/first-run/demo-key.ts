import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { hashApiKey } from '../../db/values/api-key.ts'

interface DemoKeyOptions {
  home: string
  db: Db
}

/**
 * Returns the API key of the demo account. The first run creates it and stores it in demo.json, readable by
 * its owner only.
 */
export async function demoKey({ home, db }: DemoKeyOptions): Promise<string> {
  const file = join(home, 'demo.json')
  const known = readKey(file)
  if (known !== null && (await isStored(db, known))) return known
  // One transaction creates both or none; a failure is retried.
  const { accountId, key } = await db.transaction().execute(async (trx) => {
    const account = await createAccount(trx, { name: 'demo', plan: 'pro' })
    return { ...account, ...(await createKey(trx, { ...account, name: 'npm start' })) }
  })
  writeFileSync(file, `${JSON.stringify({ accountId, key }, null, 2)}\n`, { mode: 0o600 })
  return key
}

function readKey(file: string): string | null {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { key: string }).key
  } catch {
    return null
  }
}

/** Whether the key is in this database: it may have been created for another one. */
async function isStored(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('prefix')
    .where('hash', '=', hashApiKey(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
