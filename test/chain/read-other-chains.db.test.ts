import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { getBalance } from '../../api/chain/get-balance.ts'
import { getTransactions } from '../../api/chain/get-transactions.ts'
import { patchTransactions } from '../../api/chain/patch-transactions.ts'
import { BLOCKBOOK_COINS } from '../../sandbox/bitcoin/actors.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import {
  activateNetworks,
  address,
  insertBalance,
  insertTransactions,
  insertWallet,
  outboxOf,
} from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const [balance, transactions, patch] = [getBalance, getTransactions, patchTransactions].map((route) =>
  endpoint(api, { route, key }),
) as [ReturnType<typeof endpoint>, ReturnType<typeof endpoint>, ReturnType<typeof endpoint>]

const EVM = address(1)
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const LEGACY = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const XPUB =
  'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj'
const LITECOIN = 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'
const { name: DGUB } = BLOCKBOOK_COINS[1].wallets[0]!
const SOLANA = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const TXID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'
const SIGNATURE = '5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUYv'
const at = new Date('2026-03-10T12:00:00Z')

beforeAll(async () => {
  const db = api.owner
  await activateNetworks(db, ['ethereum', 'bitcoin', 'solana', 'litecoin'])
  await insertCoin(db, { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', rank: 1, priceUsd: '80000', at })
  await insertCoin(db, { id: 'litecoin', symbol: 'ltc', name: 'Litecoin', rank: 20, priceUsd: '90', at })
  await insertCoin(db, { id: 'usd-coin', symbol: 'usdc', name: 'USDC', rank: 7, priceUsd: '1', at })
  for (const [name, networkId, hash] of [
    [ZPUB, 'bitcoin', TXID],
    [SOLANA, 'solana', SIGNATURE],
  ] as const) {
    const isShared = name === ZPUB
    const syncs = { [networkId]: at, ...(isShared && { litecoin: at }) }
    const walletId = await insertWallet(db, { address: name, syncs })
    const main = { coinId: 'bitcoin', symbol: 'BTC', count: '0.5', valueUsd: '39000' }
    await insertTransactions(db, { walletId, transactions: [{ networkId, at, hash, main }] })
    const held = { walletId, networkId, at }
    if (isShared)
      await insertBalance(db, {
        ...held,
        networkId: 'litecoin',
        coinId: 'litecoin',
        raw: '300000000',
        decimals: 8,
      })
    if (networkId === 'bitcoin')
      await insertBalance(db, { ...held, coinId: 'bitcoin', raw: '50000000', decimals: 8 })
    else
      await insertBalance(db, {
        ...held,
        coinId: 'usd-coin',
        raw: '2500000',
        decimals: 6,
        token: { address: MINT },
      })
  }
})

const refused = async (path: string, init?: RequestInit) => refusal(await api.get(path, key, init))

describe('wallets on Bitcoin and Solana', () => {
  test('returns balances in coins and keeps the case of a token contract', async () => {
    const bitcoin = await balance(`/wallet/balance?address=${ZPUB}&connectionId=bitcoin`)
    expect(bitcoin.body).toEqual([
      expect.objectContaining({ coinId: 'bitcoin', amount: 0.5, decimals: 8, chain: 'bitcoin' }),
    ])
    expect(bitcoin.credits).toBe(40)
    const solana = await balance(`/wallet/balance?address=${SOLANA}&blockchain=solana`)
    expect(solana.body).toEqual([
      expect.objectContaining({ coinId: 'usd-coin', amount: 2.5, contractAddress: MINT }),
    ])
  })

  test('an address in another case is another wallet on Solana but the same wallet in bech32', async () => {
    const flipped = SOLANA.replace(/[a-z]/g, (letter) => letter.toUpperCase())
    const path = (name: string) => `/wallet/balance?address=${name}&connectionId=solana`
    const [status] = await refused(path(flipped))
    expect([400, 503]).toContain(status)
    await patch(`/wallet/transactions?address=${SEGWIT.toUpperCase()}&connectionId=bitcoin`, {
      method: 'PATCH',
    })
    expect((await outboxOf(api.owner)).map(({ workflow_id }) => workflow_id)).toEqual([
      `sync:${SEGWIT}:bitcoin`,
    ])
  })

  test('a key that two networks share is a wallet on the one that a request names', async () => {
    const litecoin = await balance(`/wallet/balance?address=${ZPUB}&connectionId=ltc`)
    expect(litecoin.body).toEqual([
      expect.objectContaining({ coinId: 'litecoin', amount: 3, chain: 'litecoin' }),
    ])
    const all = await balance(`/wallet/balance?address=${ZPUB}&connectionId=all`)
    expect(all.body).toEqual([expect.objectContaining({ coinId: 'bitcoin', amount: 0.5, chain: 'bitcoin' })])
  })

  test('finds one transaction by each form of its id', async () => {
    for (const [name, networkId, id] of [
      [ZPUB, 'bitcoin', TXID.toUpperCase()],
      [SOLANA, 'solana', SIGNATURE],
    ] as const) {
      const found = await transactions(
        `/wallet/transactions?address=${name}&connectionId=${networkId}&txId=${id}`,
      )
      expect(found.body.result).toHaveLength(1)
    }
    const other = await transactions(
      `/wallet/transactions?address=${SOLANA}&connectionId=solana&txId=${SIGNATURE.toLowerCase().replaceAll('l', 'L')}`,
    )
    expect(other.body.result).toEqual([])
  })

  test('lists the transactions of wallets on different kinds of networks', async () => {
    const { body, credits } = await transactions(`/wallet/transactions?wallets=bitcoin:${ZPUB},all:${SOLANA}`)
    expect(body.result).toHaveLength(2)
    expect(credits).toBe(30 + 300)
  })
})

describe('invalid wallets', () => {
  test.each([
    ['an EVM address on Bitcoin', EVM, 'bitcoin'],
    ['an EVM address on Solana', EVM, 'solana'],
    ['an EVM address on Ethereum and Solana', EVM, 'ethereum,solana'],
    ['a Solana address on an EVM network', SOLANA, 'ethereum'],
    ['a Solana address on Bitcoin', SOLANA, 'bitcoin'],
    ['a Bitcoin address on Solana', LEGACY, 'solana'],
    ['an extended key on an EVM network', ZPUB, 'base-wallet'],
    ['a wrong checksum', `${LEGACY.slice(0, -1)}b`, 'bitcoin'],
    ['mixed case in bech32', SEGWIT.replace('w', 'W'), 'bitcoin'],
    ['version 0 with the checksum of version 1', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'bitcoin'],
    ['a testnet address', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'bitcoin'],
    ['91 characters', `bc1q${'q'.repeat(87)}`, 'bitcoin'],
    ['letters outside base58', `1${'0OIl'.repeat(8)}`, 'bitcoin'],
    ['a private key', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ', 'bitcoin'],
    ['a seed phrase', 'abandon%20abandon%20abandon%20about', 'bitcoin'],
    ['33 bytes', `1${SOLANA}`, 'solana'],
    ['a Cosmos address', 'cosmos1dx27g0kzhwej0ekcf2k9hsktcxnmpl7fcehcvq', 'all'],
    ['a Litecoin address on Bitcoin', LITECOIN, 'bitcoin'],
    ['a Litecoin address on Dogecoin', LITECOIN, 'dogecoin'],
    ['a Litecoin address on the networks of all', LITECOIN, 'all'],
    ['a Dogecoin key on Litecoin', DGUB, 'litecoin'],
    ['a Bitcoin address on Litecoin', LEGACY, 'litecoin'],
    ['a key of BIP 44 with the version of Bitcoin on Litecoin', XPUB, 'litecoin'],
    ['a Tron address', 'TFFriedwRtWdFuzerDDtkoQTZ29smDZ1MB', 'all'],
    ['a padded address', `%20${SOLANA}`, 'solana'],
    ['a line break', `${SOLANA}%0A`, 'solana'],
  ])('%s returns 400', async (_what, name, networks) => {
    const message = [400, 'Invalid parameter: address']
    for (const path of ['/wallet/balance', '/wallet/transactions', '/wallet/status', '/wallet/balance/many'])
      expect(await refused(`${path}?address=${name}&blockchain=all&connectionId=${networks}`), path).toEqual(
        message,
      )
    expect(
      await refused(`/wallet/transactions?address=${name}&connectionId=${networks}`, { method: 'PATCH' }),
    ).toEqual(message)
    const [network] = networks.split(',').reverse()
    const [status] = await refused(`/wallet/transactions?wallets=${network}:${name}`)
    expect(status).toBe(400)
  })

  test('a wrong network in a body returns 400', async () => {
    const body = JSON.stringify({
      wallets: [
        { address: ZPUB, connectionId: 'bitcoin' },
        { address: SOLANA, connectionId: 'bitcoin' },
      ],
    })
    const [status] = await refused('/wallet/transactions', {
      method: 'PATCH',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(400)
  })

  test('returns 503 when no network for the address has a source', async () => {
    await activateNetworks(api.owner, ['ethereum'])
    const [status] = await refused(`/wallet/transactions?address=${SOLANA}&connectionId=all`, {
      method: 'PATCH',
    })
    expect(status).toBe(503)
    expect(
      await refused(`/wallet/transactions?address=${SOLANA}&connectionId=solana`, { method: 'PATCH' }),
    ).toEqual([400, 'Network not available: solana'])
  })
})
