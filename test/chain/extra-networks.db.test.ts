import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { readWatches } from '../../db/events/note-events.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import {
  activateNetworks,
  address,
  hash,
  insertBalance,
  insertTransactions,
  insertWallet,
  outboxOf,
} from '../setup/wallet-factories.ts'

/** `all` leaves out the networks beyond it, even where the operator has turned them on and a wallet is synced there. */

const database = await testDatabase()
const api = await startApi({ database, routes })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => ingest.close())
const { key, accountId } = await api.newAccount()
const AT = new Date('2026-03-10T10:00:00Z')
const [plain, extra, unknown] = [address(1), address(2), address(3)]
const walletIds = new Map<string, string>()

beforeAll(async () => {
  await activateNetworks(api.owner, ['ethereum', 'gnosis-wallet', 'linea-wallet'])
  await insertCoin(api.owner, { id: 'ethereum', symbol: 'eth', priceUsd: '2000', at: AT })
  await insertCoin(api.owner, { id: 'xdai', symbol: 'xdai', priceUsd: '1', at: AT })
  for (const [wallet, networks] of [
    [plain, ['ethereum']],
    [extra, ['ethereum', 'gnosis-wallet']],
  ] as const) {
    // Older than the other sync, so that it would show in the age of an answer.
    const syncs = {
      ethereum: AT,
      ...(wallet === extra && { 'gnosis-wallet': new Date(AT.getTime() - 86_400_000) }),
    }
    const walletId = await insertWallet(api.owner, { address: wallet, syncs })
    walletIds.set(wallet, walletId)
    for (const networkId of networks) {
      const coinId = networkId === 'ethereum' ? 'ethereum' : 'xdai'
      const at = new Date(AT.getTime() - 3_600_000)
      await insertBalance(api.owner, { walletId, networkId, coinId, raw: '2000000000000000000', at })
      await insertTransactions(api.owner, {
        walletId,
        transactions: [
          {
            networkId,
            at,
            hash: hash(networks.indexOf(networkId as never)),
            main: { coinId, symbol: coinId, count: '2', valueUsd: '10' },
          },
        ],
      })
    }
  }
})

/** Answer and price, with the address hidden. */
async function answerOf(path: string, wallet: string): Promise<string> {
  const response = await api.get(path.replace('ADDRESS', wallet), key)
  const cost = response.headers.get('x-credits-cost')
  return `${response.status} ${cost} ${(await response.text()).replaceAll(wallet, 'ADDRESS')}`
}

test.each([
  '/wallet/balance?address=ADDRESS&connectionId=all',
  '/wallet/balance/many?wallets=all:ADDRESS',
  '/wallet/balances?wallets=all:ADDRESS',
  '/wallet/status?address=ADDRESS&blockchain=all',
  '/wallet/transactions?address=ADDRESS&connectionId=all',
  '/wallet/transactions?address=ADDRESS&connectionId=all&coinId=xdai',
  '/wallet/charts?wallets=all:ADDRESS&type=1w',
  '/wallet/pl/history?address=ADDRESS&connectionId=all&from=2026-03-01&to=2026-03-11&interval=daily',
  '/wallet/defi?address=ADDRESS&connectionId=all',
  '/nft/wallet/ADDRESS/assets',
])('%s answers and costs as if the wallet were synced on networks of all alone', async (path) => {
  const answer = await answerOf(path, extra)
  expect(answer).toBe(await answerOf(path, plain))
  expect(answer).toMatch(/^200 /)
})

test('a network beyond all is read where a request names it', async () => {
  const named = await answerOf('/wallet/balance?address=ADDRESS&connectionId=Gnosis', extra)
  expect(named).toContain('"coinId":"xdai"')
  expect(await answerOf('/wallet/transactions?address=ADDRESS&blockchain=xdai', extra)).toContain(hash(1))
})

test('NFTs of a network beyond all are listed where a request names it, at the same price', async () => {
  await sql`
    insert into transfers (network_id, tx_hash, kind, position, item, token_address, token_id, from_address, to_address,
      raw, block_number, block_hash, at, source, fetched_at)
    values ('gnosis-wallet', ${hash(9)}, 'erc721', 0, 0, ${address(77)}, 5, ${address(8)}, ${extra}, 1, 1, '0x', ${AT},
      'test', ${AT})`.execute(api.owner)
  const path = '/nft/wallet/ADDRESS/assets'
  const named = await answerOf(`${path}?connectionId=gnosis-wallet`, extra)
  expect(named).toMatch(/^200 40 /)
  expect(named).toContain(address(77))
  expect(await answerOf(path, extra)).not.toContain(address(77))
  expect(await answerOf(`${path}?blockchain=all,xdai`, extra)).toMatch(/^200 80 /)
  // Solana has no such addresses.
  expect(await answerOf(`${path}?connectionId=solana`, extra)).toMatch(
    /^400 .*Invalid parameter: connectionId/,
  )
})

test('a first read of all starts no sync beyond all', async () => {
  await api.get(`/wallet/status?address=${unknown}&connectionId=all`, key)
  await api.get(`/wallet/status?address=${unknown}&connectionId=linea-wallet`, key)
  const started = (await outboxOf(api.owner)).map(({ workflow_id }) => workflow_id)
  expect(started).toEqual([`sync:${unknown}:ethereum`, `sync:${unknown}:linea-wallet`])
})

test('who watches a wallet on all hears of networks of all alone', async () => {
  const walletId = walletIds.get(extra)!
  await sql`insert into event_subscriptions (account_id, wallet_id) values (${accountId}, ${walletId})`.execute(
    api.owner,
  )
  const heard = async (networkId: string) => {
    const { rows } = await sql`
      select account_id from event_receivers('wallet.balance', ${walletId}, ${networkId}, null, '{}')`.execute(
      api.owner,
    )
    const client = await ingest.pool.connect()
    try {
      const watches = await readWatches(client, { networkId, walletIds: [walletId] })
      return [rows.length, watches.size]
    } finally {
      client.release()
    }
  }
  expect([await heard('ethereum'), await heard('gnosis-wallet')]).toEqual([
    [1, 1],
    [0, 0],
  ])
})
