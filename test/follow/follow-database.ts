import { afterAll, beforeEach } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'
import { emptyTables } from './follow-directly.ts'

/**
 * A database of this test file for a follower. What followers and syncs write is emptied before each test. Call it
 * at the top level.
 */
export async function followDatabase() {
  const database = await testDatabase()
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 6, applicationName: 'test' })
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const empty = () => emptyTables(owner.pool)
  afterAll(() => Promise.all([close(), owner.close()]))
  beforeEach(empty)

  /** The values of all rows, one after the other. */
  async function query(sql: string): Promise<unknown[]> {
    return (await pool.query({ text: sql, rowMode: 'array' })).rows.flat()
  }

  return { pool, owner: owner.pool, empty, query }
}

/** A chain of 30 empty blocks, on which these accounts have coins. */
export function chainOf30(...accounts: readonly string[]): MemoryChain {
  const chain = createMemoryChain({ funds: Object.fromEntries(accounts.map((one) => [one, 10n ** 30n])) })
  for (let i = 0; i < 30; i++) chain.mine()
  return chain
}
