import { expect, test } from 'vitest'
import { openSolana } from '../../activities/defi/solana/open-solana.ts'
import type { HttpClient } from '../../activities/http-client.ts'
import { keyOf } from '../../sandbox/solana/tokens.ts'
import { nodeWith } from './solana-reader.ts'

const NODE = { slot: 9, epoch: 700, slotIndex: 0, slotsInEpoch: 432_000, time: 1_772_000_000, accounts: [] }

/** Numbers of calls that reading so many wallets costs, which hold so many NFTs each and no position. */
async function callsOf({
  wallets,
  nfts,
}: {
  wallets: number
  nfts: number
}): Promise<Record<string, number>> {
  const node = nodeWith(NODE)
  const calls: Record<string, number> = {}
  const http = {
    fetchJson: (request: Parameters<typeof node.fetchJson>[0]) => {
      const { method } = request.body as { method: string }
      calls[method] = (calls[method] ?? 0) + 1
      return node.fetchJson(request)
    },
  } as HttpClient
  const network = await openSolana({ http, url: 'http://node', onProgress: () => {} })({
    networkId: 'solana',
    walletIds: [],
  })
  const all = Array.from({ length: wallets }, (_, i) => {
    const own = Array.from({ length: nfts }, (_, k) => keyOf(`nft ${i} ${k}`))
    const wallet = { walletId: String(i), address: keyOf(`wallet ${i}`), networkId: 'solana' }
    return network.protocolsOf({ ...wallet, received: own, tokens: own, nfts: own })
  })
  const readings = await Promise.all(all.flat().map(({ read }) => read()))
  expect(readings.every(({ positions, unknown }) => positions.length + unknown.length === 0)).toBe(true)
  return calls
}

test('wallets without NFTs cost one shared call more than their stake accounts', async () => {
  const calls = { getEpochInfo: 1, getBlockTime: 1, getProgramAccounts: 50, getMultipleAccounts: 1 }
  expect(await callsOf({ wallets: 50, nfts: 0 })).toEqual(calls)
})

test('an NFT that is no position costs three accounts, a hundred of which share a call', async () => {
  // The wallet itself costs one account.
  const calls = { getEpochInfo: 1, getBlockTime: 1, getProgramAccounts: 1, getMultipleAccounts: 31 }
  expect(await callsOf({ wallets: 1, nfts: 1_000 })).toEqual(calls)
})
