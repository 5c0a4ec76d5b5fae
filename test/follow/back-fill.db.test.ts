import { expect, test } from 'vitest'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { deriveAll } from '../derive/derive-directly.ts'
import { stopLater } from '../upstreams/actors.ts'
import { address } from '../setup/wallet-factories.ts'
import { follow, NETWORK, track } from './follow-directly.ts'
import { chainOf30, followDatabase } from './follow-database.ts'
import { memoryNode } from './memory-node.ts'

const [payer, wallet] = [address(1), address(2)] as const
const { pool, owner, query } = await followDatabase()

test('case 4 back-fill and follower write the same transaction at the same moment: it is stored once', async () => {
  await track(pool, wallet)
  const chain = chainOf30(payer)
  const node = memoryNode(chain)
  const follower = await follow({ pool, node })
  await follower.catchUp()
  chain.mine({ from: payer, to: wallet, value: 7n })
  const { url } = stopLater(await node.serve())
  const network = await testNetwork(pool, { networkId: 'ethereum', url, reorgDepth: NETWORK.reorgDepth })

  await owner.query('begin')
  await owner.query('lock table transactions in share mode')
  const both = Promise.all([syncDirectly({ pool, network, address: wallet }), follower.catchUp()])
  const waiting = 'select count(distinct pid)::int from pg_locks where not granted'
  await expect.poll(() => query(waiting)).toEqual([2])
  await owner.query('commit')
  await both
  await deriveAll({ pool, network })

  expect(await query('select raw::int from transfers')).toEqual([7])
  expect(await query('select type from wallet_transactions')).toEqual(['deposit'])
  expect(await query('select raw::int from balances')).toEqual([7])
})
