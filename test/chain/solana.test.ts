import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createSolana } from '../../activities/chain/sources/solana.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { nameless, scam, usdc } from '../../sandbox/solana/tokens.ts'
import { createSolana as createUpstream } from '../../sandbox/solana/solana.ts'
import { ok, type Upstream } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

const WALLET = solanaWallets[0]!.address
const chain = createSolanaChain({ market })
// Some tests request hundreds of transactions.
vi.setConfig({ testTimeout: 30_000 })
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

interface Call {
  method: string
  params: any[]
}

/** Connects the adapter to the simulated node and records its calls; `change` may replace an answer. */
async function against(change: (call: Call) => unknown = () => undefined) {
  const asked: Call[] = []
  const node = createUpstream(() => chain)
  const upstream: Upstream = (request) => {
    const call = JSON.parse(request.bodyText) as Call
    asked.push(call)
    const body = change(call)
    return body === undefined ? node(request) : ok(body)
  }
  const mounts = [{ base: '/solana', upstream }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => ANCHOR * 1_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/solana`
  const http = freeHttp({ solana: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createSolana({ http, url }), asked }
}

describe('transactions of every version', () => {
  test('are requested again with the version that the node states, and none is lost', async () => {
    const { source, asked } = await against()
    const { transactions } = await fullHistory(source, WALLET)
    const versions = asked
      .filter(({ method }) => method === 'getTransaction')
      .map(({ params }) => params[1].maxSupportedTransactionVersion as number)
    expect([versions[0], Math.max(...versions)]).toEqual([0, 1])
    const mine = chain.of(WALLET, ANCHOR).filter((tx) => !tx.failed || tx.accounts[0]!.key === WALLET)
    const changing = mine.filter((tx) =>
      tx.accounts.some(({ key, before, after }) => key === WALLET && before.lamports !== after.lamports),
    )
    const stored = new Set(transactions.map(({ hash }) => hash))
    for (const { signature } of changing) expect(stored.has(signature)).toBe(true)
  })

  test('a version that the node always refuses fails the read instead of being skipped', async () => {
    const refusal = {
      code: -32015,
      message: 'Transaction version (1) is not supported by the requesting client.',
    }
    const { source } = await against(({ method }) =>
      method === 'getTransaction' ? { jsonrpc: '2.0', id: 1, error: refusal } : undefined,
    )
    await expect(fullHistory(source, WALLET)).rejects.toThrow(SourceRejected)
  })

  test('a listed transaction that the node lacks fails as unavailable, so it is retried', async () => {
    const { source } = await against(({ method }) =>
      method === 'getTransaction' ? { jsonrpc: '2.0', id: 1, result: null } : undefined,
    )
    await expect(fullHistory(source, WALLET)).rejects.toThrow(SourceUnavailable)
  })
})

describe('pages', () => {
  test('reads 1,000 signatures per page, newest first, up to the newest of the last read', async () => {
    const known = chain.of(WALLET, ANCHOR)[20]!.signature
    const { source, asked } = await against()
    const account = { account: WALLET, role: 'wallet' as const, readBlock: 1, newest: known }
    const headBlock = chain.finalSlot(ANCHOR)
    const asking = { address: WALLET, accounts: [account], cursor: 1, headBlock }
    const part = await source.readHistory(historyRequest(asking))
    const [first] = asked.filter(({ method }) => method === 'getSignaturesForAddress')
    expect(first!.params).toEqual([WALLET, { limit: 1_000, commitment: 'finalized', until: known }])
    expect(part.accounts.find((one) => one.account === WALLET)!.newest).toBe(
      chain.of(WALLET, ANCHOR)[0]!.signature,
    )
  })

  test('reads a list of several pages to its end, in steps', async () => {
    const wallet = chain.of(WALLET, ANCHOR)
    // This node returns 1,300 copies of one transaction in pages of 1,000.
    const template = wallet.find((tx) => !tx.failed && tx.version === 'legacy')!
    const all = Array.from({ length: 1_300 }, (_, i) => ({
      signature: `s${i}`,
      slot: 300_000_000 - i,
      err: null,
    }))
    const { source, asked } = await against(({ method, params }) => {
      if (method === 'getTokenAccountsByOwner') return { result: { context: { slot: 1 }, value: [] } }
      if (method === 'getSignaturesForAddress') {
        const from = all.findIndex(({ signature }) => signature === params[1].before) + 1
        return { result: all.slice(from, from + 1_000) }
      }
      if (method !== 'getTransaction') return undefined
      const [before, after] = [template.accounts[0]!.before, template.accounts[0]!.after].map(
        ({ lamports }) => Number(lamports),
      )
      return {
        result: {
          slot: all.find(({ signature }) => signature === params[0])!.slot,
          blockTime: null,
          meta: { err: null, fee: 5_000, preBalances: [before], postBalances: [after] },
          transaction: { signatures: [params[0]], message: { accountKeys: [{ pubkey: WALLET }] } },
        },
      }
    })
    const { transactions, parts } = await fullHistory(source, WALLET)
    expect(transactions).toHaveLength(1_300)
    expect(new Set(transactions.map(({ hash }) => hash)).size).toBe(1_300)
    expect(parts).toBe(26)
    expect(asked.filter(({ method }) => method === 'getTransaction')).toHaveLength(1_300)
    // The time of a slot that the node lost is estimated from the slot rate.
    expect(transactions[0]!.atMs).toBeGreaterThan(transactions.at(-1)!.atMs)
    expect(
      Math.abs(transactions[0]!.atMs / 1_000 - (ANCHOR + (300_000_000 - chain.finalSlot(ANCHOR)) * 0.4)),
    ).toBeLessThan(60)
  })
})

test("finds closed token accounts through the wallet's own transactions", async () => {
  const { source } = await against()
  const { accounts } = await fullHistory(source, WALLET)
  const gone = chain
    .tokenAccountsOf(WALLET)
    .filter((key) => chain.of(key, ANCHOR).length > 0 && chain.account(key, ANCHOR)?.token === null)
  expect(gone.length).toBeGreaterThan(0)
  for (const key of gone) expect(accounts.get(key)).toMatchObject({ role: 'token' })
})

test('returns the balances at the head of the sync despite later transactions', async () => {
  const { source } = await against()
  const { accounts } = await fullHistory(source, WALLET)
  for (const days of [0, 60, 250]) {
    const headBlock = chain.finalSlot(ANCHOR - days * 86_400)
    const known = [...accounts.values()].map((one) => ({
      ...one,
      newest: chain.of(one.account, ANCHOR - days * 86_400)[0]?.signature ?? null,
    }))
    const request = { address: WALLET, accounts: known, tokens: [usdc.mint, scam.mint], headBlock }
    const found = await source.readBalances(request)
    const at = ANCHOR - days * 86_400
    expect(found.native).toBe(chain.account(WALLET, at)!.lamports)
    const held = (mint: string) =>
      chain.tokenAccountsOf(WALLET).reduce((sum, key) => {
        const token = chain.account(key, at)?.token
        return token?.token.mint === mint ? sum + token.amount : sum
      }, 0n)
    expect(found.tokens).toEqual([held(usdc.mint), held(scam.mint)])
    expect(found.block.number).toBe(headBlock)
  }
})

test('reads the decimals of mints and the names that they have; a non-mint stays unknown', async () => {
  const { source } = await against()
  expect(await source.readTokens([usdc.mint, scam.mint, nameless.mint, WALLET])).toEqual([
    { address: usdc.mint, symbol: null, name: null, decimals: 6 },
    { address: scam.mint, symbol: 'GIFT', name: 'Claim at solgift.example', decimals: 0 },
    { address: nameless.mint, symbol: null, name: null, decimals: 4 },
    { address: WALLET, symbol: null, name: null, decimals: null },
  ])
})

test('retries a node that is behind, but not a refused call', async () => {
  let calls = 0
  const { source } = await against(({ method }) =>
    method === 'getSlot' && ++calls < 3
      ? { error: { code: -32005, message: 'Node is behind by 200 slots' } }
      : undefined,
  )
  expect((await source.head()).block.number).toBe(chain.finalSlot(ANCHOR))
  expect(calls).toBe(3)
  const { source: other } = await against(() => ({ error: { code: -32601, message: 'Method not found' } }))
  await expect(other.head()).rejects.toThrow(SourceRejected)
})
