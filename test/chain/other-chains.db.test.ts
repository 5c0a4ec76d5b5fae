import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { type BitcoinWallet, bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { addressesOf, type ConfirmedTx, createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { testDatabase } from '../setup/database.ts'
import { ANCHOR, market, startOtherChains } from './other-chains.ts'
import { syncDirectly } from './sync-directly.ts'

const DAY_MS = 86_400_000
const open = async () =>
  openDb({ url: (await testDatabase()).ingestUrl, maxConnections: 4, applicationName: 'test' })
const { pool, close } = await open()
const [reference, waiting, forked] = [await open(), await open(), await open()]
const { state, solana, networkOf } = await startOtherChains()
afterAll(async () => {
  await Promise.all([close(), reference.close(), waiting.close(), forked.close()])
})
beforeEach(() => {
  state.nowMs = ANCHOR * 1_000
})

async function sync(networkId: 'bitcoin' | 'solana', address: string, into: pg.Pool = pool) {
  const network = await networkOf(into, networkId)
  return await syncDirectly({ pool: into, network, address })
}

/** Sums of a wallet's movements by coin, the fees among them, and its balance. */
async function sums(walletId: string, of: pg.Pool = pool) {
  const { rows } = await of.query<{ coin_id: string; raw: string; fees: string; held: string }>(
    `select coin_id, sum(raw) as raw, coalesce(sum(raw) filter (where role = 'fee'), 0) as fees,
       (select raw from balances where wallet_id = $1 and coin_id = moved.coin_id) as held
     from movements as moved where wallet_id = $1 group by coin_id order by coin_id`,
    [walletId],
  )
  return rows
}

const countOf = async (walletId: string, of: pg.Pool = pool) =>
  Number(
    (await of.query('select count(*) as n from wallet_transactions where wallet_id = $1', [walletId])).rows[0]
      .n,
  )

describe('Bitcoin', () => {
  /** The addresses that the wallet may have used, and its transactions, read from the simulator directly. */
  function expected(wallet: BitcoinWallet) {
    const indexes = Array.from({ length: 600 }, (_, i) => i)
    const own = new Set(indexes.flatMap((i) => [wallet.addressAt(0, i), wallet.addressAt(1, i)]))
    const txs = new Map<string, ConfirmedTx>()
    for (const address of own)
      for (const tx of state.bitcoin.of(address, state.nowMs / 1_000)) txs.set(tx.txid, tx)
    let [held, fees] = [0n, 0n]
    for (const tx of txs.values()) {
      const sum = (rows: readonly { address: string | null; value: number }[], all = false) =>
        rows.reduce((total, one) => total + (all || own.has(one.address ?? '') ? BigInt(one.value) : 0n), 0n)
      held += sum(tx.vout) - sum(tx.vin)
      fees += (BigInt(tx.fee) * sum(tx.vin)) / sum(tx.vin, true)
    }
    return { own, txs, held, fees }
  }

  test.each(bitcoinWallets.map((wallet) => [wallet.label, wallet] as const))(
    '%s: has every transaction once, exact satoshis, fees only for own inputs and no openings',
    async (_label, wallet) => {
      const { txs, held, fees, own } = expected(wallet)
      const { walletId, openings } = await sync('bitcoin', wallet.name)
      expect(txs.size).toBeGreaterThan(30)
      expect(openings).toBe(0)
      expect(await countOf(walletId)).toBe(txs.size)
      expect(await sums(walletId)).toEqual([
        { coin_id: 'bitcoin', raw: `${held}`, fees: `${-fees}`, held: `${held}` },
      ])
      const { rows } = await pool.query<{ account: string }>(
        'select account from wallet_accounts where wallet_id = $1',
        [walletId],
      )
      const used = [...own].filter((address) => state.bitcoin.of(address, state.nowMs / 1_000).length > 0)
      const isSingle = own.size === 1
      expect(rows.map(({ account }) => account).sort()).toEqual(isSingle ? [wallet.name] : used.sort())
    },
  )

  test('no coin is spent before it arrived, although block times run backwards', async () => {
    let late = 0
    for (const { name } of bitcoinWallets) {
      const { walletId } = await sync('bitcoin', name)
      const { rows } = await pool.query<{ held: string; backwards: boolean }>(
        `select sum(raw) over (order by moved.at, moved.tx_index, tx_hash range between unbounded preceding and current row) as held,
           tx.at < max(tx.at) over (order by tx.block_number rows between unbounded preceding and 1 preceding) as backwards
         from movements as moved join transactions as tx on tx.network_id = moved.network_id and tx.hash = tx_hash
         where wallet_id = $1 order by moved.at, moved.tx_index`,
        [walletId],
      )
      for (const { held } of rows) expect(BigInt(held)).toBeGreaterThanOrEqual(0n)
      late += rows.filter(({ backwards }) => backwards).length
    }
    expect(late).toBeGreaterThan(0)
  })

  test('own change is not a payment: the counterparties are others', async () => {
    const wallet = bitcoinWallets[0]!
    const { own } = expected(wallet)
    const { walletId } = await sync('bitcoin', wallet.name)
    const { rows } = await pool.query<{ fragment: string }>(
      `select fragment from wallet_transactions where wallet_id = $1 and type in ('withdraw', 'deposit')`,
      [walletId],
    )
    expect(rows.length).toBeGreaterThan(50)
    for (const { fragment } of rows)
      for (const { items } of JSON.parse(fragment).transactions)
        for (const item of items) {
          const party = item.toAddress ?? item.fromAddress
          expect(party).toMatch(/^(bc1|[13])/)
          expect(own.has(party)).toBe(false)
        }
  })

  test('a transaction in the mempool appears only once it is in a block', async () => {
    const wallet = bitcoinWallets[1]!
    expect(state.bitcoin.waiting(wallet.name, state.nowMs / 1_000)).toHaveLength(1)
    const { walletId } = await sync('bitcoin', wallet.name, waiting.pool)
    const before = await countOf(walletId, waiting.pool)
    const next = [...Array(200).keys()].find((days) => {
      return state.bitcoin.of(wallet.name, ANCHOR + days * 86_400).length > before
    })!
    state.nowMs += next * DAY_MS
    await sync('bitcoin', wallet.name, waiting.pool)
    expect(await countOf(walletId, waiting.pool)).toBeGreaterThan(before)
  })
})

describe('Solana', () => {
  test.each(solanaWallets.map((wallet) => [wallet.label, wallet.address] as const))(
    '%s: lamports and tokens add up to the balances on the chain',
    async (_label, address) => {
      const { walletId, openings } = await sync('solana', address)
      expect(openings).toBe(0)
      const now = state.nowMs / 1_000
      const bySum = new Map((await sums(walletId)).map((row) => [row.coin_id, row]))
      expect(bySum.get('solana')!.raw).toBe(`${solana.account(address, now)!.lamports}`)
      expect(bySum.get('solana')!.held).toBe(bySum.get('solana')!.raw)
      const keys = solana.tokenAccountsOf(address)
      const held = keys.flatMap((key) => solana.account(key, now)?.token ?? [])
      expect(held.length).toBeGreaterThan(1)
      const { rows } = await pool.query<{ address: string; coin_id: string }>(
        `select address, coin_id from tokens where network_id = 'solana'`,
      )
      for (const { token, amount } of held) {
        const coinId = rows.find((row) => row.address === token.mint)!.coin_id
        expect(bySum.get(coinId)!.raw).toBe(`${amount}`)
      }
      // Every transaction that changes a balance of the wallet, including those that reference only its token
      // account.
      const txs = new Set([address, ...keys].flatMap((key) => solana.of(key, now)))
      const changing = [...txs].filter((tx) =>
        tx.failed
          ? tx.accounts[0]!.key === address
          : tx.accounts.some(
              ({ key, before, after }) =>
                (key === address && before.lamports !== after.lamports) ||
                (keys.includes(key) && before.token?.amount !== after.token?.amount),
            ),
      )
      expect(await countOf(walletId)).toBe(changing.length)
      expect(changing.some((tx) => tx.accounts.every(({ key }) => key !== address))).toBe(true)
      expect(new Set(changing.map((tx) => tx.version))).toEqual(new Set(['legacy', 0, 1]))
    },
  )

  test('a failed transaction is a fee, wrapping is not a trade, and spam is marked', async () => {
    const { walletId } = await sync('solana', solanaWallets[0]!.address)
    const { rows } = await pool.query<{ type: string; label: string; roles: string[]; n: number }>(
      `select type, fragment::json ->> 'type' as label, roles, count(*)::integer as n
       from (select served.*, array(select role from movements as moved where moved.wallet_id = served.wallet_id
               and moved.tx_hash = served.hash order by seq) as roles
             from wallet_transactions as served where wallet_id = $1) as all_rows
       group by 1, 2, 3 order by 1, 2, 3`,
      [walletId],
    )
    const kinds = rows.map(({ type, label, roles }) => `${type} ${label}: ${roles.join()}`)
    expect(kinds).toContain('fee Sent: fee')
    expect(kinds).toContain('executed Swap: wrap,wrap,transfer,fee')
    const wrapped = await pool.query(`select distinct coin_id from movements where role = 'wrap'`)
    expect(wrapped.rows).toEqual([{ coin_id: 'solana' }])
    expect(kinds).toContain('executed Swap: trade,trade,fee')
    expect(kinds).toContain('deposit Received: spam')
    expect(kinds).toContain('deposit Received: transfer')
    const { rows: tokens } = await pool.query(
      `select symbol, decimals, spam_reason from tokens where symbol = 'GIFT'`,
    )
    expect(tokens).toEqual([{ symbol: 'GIFT', decimals: 0, spam_reason: 'advertises' }])
  })
})

describe.each(['bitcoin', 'solana'] as const)('%s, synced repeatedly and in parts', (networkId) => {
  const addresses =
    networkId === 'bitcoin'
      ? bitcoinWallets.map(({ name }) => name)
      : solanaWallets.map(({ address }) => address)

  test('syncs at several instants give the same rows as one sync at the end', async () => {
    for (const daysBefore of [200, 0]) {
      state.nowMs = ANCHOR * 1_000 - daysBefore * DAY_MS
      for (const address of addresses) await sync(networkId, address, reference.pool)
    }
    for (const address of addresses) expect((await sync(networkId, address)).openings).toBe(0)
    const at = await contents(pool, networkId)
    expect(await contents(reference.pool, networkId)).toEqual(at)
    for (const address of addresses) await sync(networkId, address)
    expect(await contents(pool, networkId)).toEqual(at)
  })
})

test('Bitcoin: a reorg deletes removed rows and adds those of the other branch', async () => {
  const wallet = bitcoinWallets[2]!
  const original = state.bitcoin
  // At this time the wallet's last transactions are a few blocks deep.
  const last = original.of(wallet.name, ANCHOR)[0]!
  state.nowMs = (original.foundAt(last.block.height + 3) + 1) * 1_000
  const { walletId } = await sync('bitcoin', wallet.name, forked.pool)
  const before = await contents(forked.pool, 'bitcoin')
  for (const keep of [1, 0]) {
    state.bitcoin = createBitcoinChain({ market, fork: { height: last.block.height, keep } })
    await sync('bitcoin', wallet.name, forked.pool)
    const { rows } = await forked.pool.query<{ block_number: string; block_hash: string }>(
      `select block_number, block_hash from wallet_transactions where wallet_id = $1 and hash = $2`,
      [walletId, last.txid],
    )
    const moved = state.bitcoin.blockAt(last.block.height + 1)
    expect(rows).toEqual(keep === 1 ? [{ block_number: `${moved.height}`, block_hash: moved.id }] : [])
    const [sum] = await sums(walletId, forked.pool)
    expect(sum!.raw).toBe(sum!.held)
    const stale = await forked.pool.query(
      `select hash from blocks where network_id = 'bitcoin' and number >= $1`,
      [last.block.height],
    )
    for (const { hash } of stale.rows) expect(hash).not.toBe(last.block.id)
    state.bitcoin = original
    await sync('bitcoin', wallet.name, forked.pool)
    expect(await contents(forked.pool, 'bitcoin')).toEqual(before)
  }
  expect(addressesOf(last).size).toBeGreaterThan(1)
})

async function contents(of: pg.Pool, networkId: string) {
  const rows = async (statement: string) => (await of.query(statement, [networkId])).rows
  return {
    transactions: await rows(
      `select hash, block_number, block_hash, at, from_address, value, fee, success from transactions
       where network_id = $1 order by hash`,
    ),
    served: await rows(
      `select wallet.address, at, tx_index, hash, type, coin_ids, fragment from wallet_transactions
       join wallets as wallet on wallet.id = wallet_id where network_id = $1 order by 1, 2, 3, 4`,
    ),
    movements: await rows(
      `select wallet.address, tx_hash, seq, role, coin_id, raw from movements
       join wallets as wallet on wallet.id = wallet_id where network_id = $1 order by 1, 2, 3`,
    ),
    balances: await rows(
      `select wallet.address, coin_id, raw, decimals from balances
       join wallets as wallet on wallet.id = wallet_id where network_id = $1 order by 1, 2`,
    ),
  }
}
