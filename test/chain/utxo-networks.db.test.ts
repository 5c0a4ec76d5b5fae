import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import type { NetworkId } from '../../db/values/networks.ts'
import { type BitcoinWallet, BLOCKBOOK_COINS } from '../../sandbox/bitcoin/actors.ts'
import { type ConfirmedTx, createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { testDatabase } from '../setup/database.ts'
import { ANCHOR, market, startOtherChains } from './other-chains.ts'
import { syncDirectly } from './sync-directly.ts'

// A wallet of an extended key has hundreds of addresses, each with its request.
vi.setConfig({ testTimeout: 60_000 })

const DAY_MS = 86_400_000
const open = async () =>
  openDb({ url: (await testDatabase()).ingestUrl, maxConnections: 4, applicationName: 'test' })
const [first, later, forked] = [await open(), await open(), await open()]
const { state, networkOf } = await startOtherChains()
afterAll(() => Promise.all([first, later, forked].map(({ close }) => close())))
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
})

describe.each(BLOCKBOOK_COINS)('$name', (coin) => {
  const networkId = coin.id as NetworkId
  const chain = () => state.utxo.get(coin.id)!()

  async function sync(address: string, pool: pg.Pool = first.pool) {
    return await syncDirectly({ pool, network: await networkOf(pool, networkId), address })
  }

  /** What the chain says of a wallet: its transactions, balance and share of the fees. */
  function expected(wallet: BitcoinWallet) {
    const indexes = Array.from({ length: 600 }, (_, i) => i)
    const own = new Set(indexes.flatMap((i) => [wallet.addressAt(0, i), wallet.addressAt(1, i)]))
    const txs = new Map<string, ConfirmedTx>()
    for (const address of own) for (const tx of chain().of(address, state.nowMs / 1_000)) txs.set(tx.txid, tx)
    let [held, fees] = [0n, 0n]
    for (const tx of txs.values()) {
      const sum = (rows: readonly { address: string | null; value: number }[], all = false) =>
        rows.reduce((total, one) => total + (all || own.has(one.address ?? '') ? BigInt(one.value) : 0n), 0n)
      held += sum(tx.vout) - sum(tx.vin)
      fees += (BigInt(tx.fee) * sum(tx.vin)) / sum(tx.vin, true)
    }
    return { count: txs.size, held, fees }
  }

  test.each(coin.wallets.map((wallet) => [wallet.label, wallet] as const))(
    '%s: has every transaction once, exact amounts, fees only for own inputs and no openings',
    async (_label, wallet) => {
      const { count, held, fees } = expected(wallet)
      const { walletId, openings } = await sync(wallet.name)
      expect(count).toBeGreaterThan(30)
      expect(openings).toBe(0)
      const { rows } = await first.pool.query(
        `select coin_id, sum(raw) as raw, sum(raw) filter (where role = 'fee') as fees,
           (select raw from balances where wallet_id = $1 and network_id = $2) as held,
           (select count(*)::int from wallet_transactions where wallet_id = $1 and network_id = $2) as transactions
         from movements where wallet_id = $1 and network_id = $2 group by coin_id`,
        [walletId, networkId],
      )
      expect(rows).toEqual([
        { coin_id: coin.id, raw: `${held}`, fees: `${-fees}`, held: `${held}`, transactions: count },
      ])
    },
  )

  test('syncs at several instants give the same rows as one sync, and a further one changes nothing', async () => {
    const { name } = coin.wallets[2]!
    for (const daysBefore of [300, 90, 0]) {
      state.nowMs = ANCHOR * 1_000 - daysBefore * DAY_MS
      await sync(name, later.pool)
    }
    await sync(name)
    const once = await contents(first.pool, name)
    expect(once.movements.length).toBeGreaterThan(50)
    expect(await contents(later.pool, name)).toEqual(once)
    await sync(name)
    expect(await contents(first.pool, name)).toEqual(once)
  })

  test('a reorg deletes removed rows and adds those of the other branch', async () => {
    const { name } = coin.wallets[2]!
    const main = chain()
    const last = main.of(name, ANCHOR)[0]!
    // The last transaction of the wallet is a few blocks deep then.
    state.nowMs = (main.foundAt(last.block.height + 3) + 1) * 1_000
    const { walletId } = await sync(name, forked.pool)
    const before = await contents(forked.pool, name)
    for (const keep of [1, 0]) {
      const fork = createBitcoinChain({ market, coin, fork: { height: last.block.height, keep } })
      state.utxo.set(coin.id, () => fork)
      await sync(name, forked.pool)
      const { rows } = await forked.pool.query(
        `select block_number, block_hash from wallet_transactions
         where wallet_id = $1 and network_id = $2 and hash = $3`,
        [walletId, networkId, last.txid],
      )
      const moved = fork.blockAt(last.block.height + 1)
      expect(rows).toEqual(keep === 1 ? [{ block_number: `${moved.height}`, block_hash: moved.id }] : [])
      state.utxo.set(coin.id, () => main)
      await sync(name, forked.pool)
      expect(await contents(forked.pool, name)).toEqual(before)
    }
  })

  async function contents(pool: pg.Pool, address: string) {
    const rows = async (statement: string) => (await pool.query(statement, [networkId, address])).rows
    const ofWallet = `join wallets as wallet on wallet.id = wallet_id where network_id = $1 and wallet.address = $2`
    return {
      served: await rows(
        `select at, tx_index, hash, type, coin_ids, fragment from wallet_transactions ${ofWallet} order by 1, 2, 3`,
      ),
      movements: await rows(
        `select tx_hash, seq, role, coin_id, raw from movements ${ofWallet} order by 1, 2`,
      ),
      balances: await rows(`select coin_id, raw, decimals from balances ${ofWallet} order by 1`),
    }
  }
})
