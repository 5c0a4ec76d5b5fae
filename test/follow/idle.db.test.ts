import { afterAll, expect, test } from 'vitest'
import { followHead } from '../../activities/chain/follow/follow-head.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { follow, NETWORK, track } from './follow-directly.ts'
import { memoryNode } from './memory-node.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)

async function state() {
  const { rows } = await pool.query<{ cursor: number | null; reason: string | null }>(
    'select cursor_block::int as cursor, reason from network_follows',
  )
  return rows[0]!
}

test('the nodes of a network without wallets are not asked, and its first wallet is followed from the head on', async () => {
  const chain = createMemoryChain({})
  for (let i = 0; i < 30; i++) chain.mine()
  const node = memoryNode(chain)
  const { deps } = await follow({ pool, node })
  // An earlier attempt followed wallets that are gone.
  await pool.query(`update network_follows set cursor_block = 3, cursor_hash = $1, cursor_at = now()`, [
    chain.block(3)!.hash,
  ])
  const states: Awaited<ReturnType<typeof state>>[] = []
  let isEnding = false
  const ended = await followHead(
    {
      ...deps,
      isEnding: () => isEnding,
      async wait() {
        states.push(await state())
        if (states.length < 3) expect(node.asked).toEqual([])
        if (states.length === 2) await track(pool, address(2))
        isEnding = states.length === 3
      },
    },
    NETWORK,
  )
  expect(ended).toBe('again')
  const idle = { cursor: null, reason: 'no wallet is on it' }
  expect(states).toEqual([idle, idle, { cursor: 30, reason: null }])
  const { rows } = await pool.query('select covered_from::int from wallet_syncs')
  expect(rows).toEqual([{ covered_from: 30 - NETWORK.reorgDepth }])
})
