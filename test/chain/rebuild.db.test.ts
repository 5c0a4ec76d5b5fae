import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { normaliseStep } from '../../activities/chain/normalise-step.ts'
import { rebuildTransactions } from '../../activities/chain/rebuild.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import type { Anvil } from '../setup/anvil.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import { syncDirectly, testNetwork } from './sync-directly.ts'
import { mineTransfers, startChain } from './two-branches.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const address = '0x00000000000000000000000000000000000000f1'
const networkId = 'ethereum'
const deps = { pool, now: () => new Date() }
let node: Anvil
let walletId: string
let fresh: Awaited<ReturnType<typeof stored>>

/** The response text of the endpoint, and the derived rows without their timestamps. */
async function stored() {
  const response = await api.get(
    `/wallet/transactions?address=${address}&connectionId=${networkId}&limit=100`,
    key,
  )
  expect(response.status).toBe(200)
  const rows = await pool.query(`select * from wallet_transactions order by at, tx_index, hash`)
  const movements = await pool.query('select * from movements order by at, tx_index, tx_hash, seq')
  const withoutTime = (row: Record<string, unknown>): Record<string, unknown> => ({
    ...row,
    fetched_at: null,
  })
  return {
    answer: await response.text(),
    rows: rows.rows.map(withoutTime),
    movements: movements.rows.map(withoutTime),
  }
}

/** Changes the rows as if an older release had written them: other text, another main leg. */
async function storeOlderVersion(): Promise<void> {
  await pool.query(`update wallet_transactions set fragment = '{"date":' || (fragment::json -> 'date')::text || '}',
    main_symbol = 'OLD', identified = false`)
  await pool.query('update wallet_syncs set format_version = $1, normalised_version = $1', [
    FORMAT_VERSION - 1,
  ])
}

const versions = async () =>
  (await pool.query('select format_version, normalised_version from wallet_syncs')).rows
const current = [{ format_version: FORMAT_VERSION, normalised_version: FORMAT_VERSION }]

beforeAll(async () => {
  await activateNetworks(api.owner, [networkId])
  node = await startChain()
  // The starting balance becomes an opening, which has no raw row.
  await node.call('anvil_setBalance', address, `0x${(5n * 10n ** 18n).toString(16)}`)
  await mineTransfers(node, { wallet: address, blocks: 7, salt: 1 })
  const network = await testNetwork(pool, { networkId, url: node.url })
  ;({ walletId } = await syncDirectly({ pool, network, address }))
  fresh = await stored()
})
beforeEach(storeOlderVersion)
afterAll(async () => {
  await close()
  await node.stop()
})

test('the setup has a balance, deposits and withdrawals', () => {
  const types = new Set(fresh.rows.map((row) => row.type))
  expect(types).toEqual(new Set(['balance', 'deposit', 'withdraw']))
})

describe('rows of an older version', () => {
  test('are rebuilt to the same bytes as a fresh normalisation; a second rebuild changes nothing', async () => {
    expect((await stored()).answer).not.toBe(fresh.answer)
    const rebuilt = await rebuildTransactions(deps, () => {})
    expect(rebuilt).toEqual({ wallets: 1, transactions: fresh.rows.length - 1, failed: [] })
    expect(await stored()).toEqual(fresh)
    expect(await versions()).toEqual(current)
    expect(await rebuildTransactions(deps, () => {})).toEqual({ wallets: 0, transactions: 0, failed: [] })
  })

  test('are rebuilt by the next sync of the wallet', async () => {
    const network = await testNetwork(pool, { networkId, url: node.url })
    await syncDirectly({ pool, network, address })
    expect(await stored()).toEqual(fresh)
    expect(await versions()).toEqual(current)
  })

  test('a rebuild that stopped halfway is finished', async () => {
    const wallet = { walletId, address, networkId }
    const middle = (fresh.rows.length / 2) | 0
    const { block_number: done } = fresh.rows[middle] as { block_number: string }
    const { rows } = await pool.query<{ cursor_block: string }>('select cursor_block from wallet_syncs')
    const { cursor_block: cursor } = rows[0]!
    // As if stopped between two steps: the first covered only half of the blocks.
    await pool.query('update wallet_syncs set cursor_block = $1', [done])
    await normaliseStep(deps, wallet)
    await pool.query('update wallet_syncs set cursor_block = $1, format_version = $2', [
      cursor,
      FORMAT_VERSION - 1,
    ])
    expect((await stored()).rows).not.toEqual(fresh.rows)
    await rebuildTransactions(deps, () => {})
    expect(await stored()).toEqual(fresh)
    expect(await versions()).toEqual(current)
  })

  test('of a wallet with an unidentified token are reported as failed and left to its next sync', async () => {
    await pool.query(
      `insert into transfers (network_id, tx_hash, kind, position, item, token_address, from_address,
        to_address, raw, fan_out, block_number, block_hash, at, source, fetched_at)
      select network_id, hash, 'erc20', 0, 0, '0x00000000000000000000000000000000000000ee',
          '0x00000000000000000000000000000000000000dd', $1, 1, 1, block_number,
        block_hash, at, source, fetched_at from transactions order by block_number limit 1`,
      [address],
    )
    const { failed } = await rebuildTransactions(deps, () => {})
    expect(failed).toMatchObject([{ address, networkId, reason: expect.stringContaining('not identified') }])
    expect(await versions()).not.toEqual(current)
  })
})
