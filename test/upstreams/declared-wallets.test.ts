import { expect, test } from 'vitest'
import { ACCOUNTS_OF_CALL, CALLS_OF_LIST, EXPLORER_STREAMS } from '../../activities/chain/requests.ts'
import { createBlockscout } from '../../activities/chain/sources/blockscout.ts'
import { createEtherscan, createRoutescan } from '../../activities/chain/sources/etherscan.ts'
import { createSolana } from '../../activities/chain/sources/solana.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { ALICE, BOB, stopLater } from './actors.ts'
import { BLOCKSCOUT_KEY, startBlockscoutPro } from './blockscout.ts'
import { createClock } from './double.ts'
import { ETHERSCAN_KEY, startEtherscan } from './etherscan.ts'
import { createMemoryChain } from './nodes/chain.ts'
import { startRoutescan } from './routescan.ts'
import { clientOf } from './small/client-of.ts'
import { startSolana } from './solana.ts'

// What the plan says that a wallet asks of explorers and of Solana, against what their doubles were asked.

/** A wallet to which one thing happened: each list is one page. */
function quietChain(chainId: number) {
  const chain = createMemoryChain({ chainId })
  chain.mine({ from: BOB, to: ALICE, value: 1n })
  return chain
}

test.each(['etherscan', 'routescan', 'blockscout'])('a wallet by %s', async (source) => {
  const clock = createClock()
  const chain = quietChain(source === 'blockscout' ? 8453 : 1)
  const asked = { chainId: chain.chainId, address: ALICE, fromBlock: 0, toBlock: chain.head(), next: null }
  const world = { clock, chains: [chain] }
  const patient = (url: string) => {
    const { http } = clientOf(source, url)
    const fetchJson: typeof http.fetchJson = (request) => {
      clock.advance(1_000)
      return http.fetchJson(request)
    }
    return { ...http, fetchJson }
  }
  if (source === 'etherscan') {
    const double = stopLater(await startEtherscan(world))
    const url = double.apiUrl
    await createEtherscan({ http: patient(url), url, key: ETHERSCAN_KEY }).step(asked)
    expect(double.asked).toHaveLength(EXPLORER_STREAMS[source]!)
  } else if (source === 'routescan') {
    const double = stopLater(await startRoutescan(world))
    const url = double.networkUrl
    await createRoutescan({ http: patient(url), url, key: null }).step(asked)
    expect(double.asked).toHaveLength(EXPLORER_STREAMS[source]!)
  } else {
    const double = stopLater(await startBlockscoutPro(world))
    const { url } = double
    const explorer = createBlockscout({ http: patient(url), url, key: BLOCKSCOUT_KEY })
    for (let { next } = await explorer.step(asked); next !== null;)
      ({ next } = await explorer.step({ ...asked, next }))
    expect(double.asked).toHaveLength(EXPLORER_STREAMS[source]!)
  }
})

test('wallets on Solana: balances of a hundred accounts a call, and lists of accounts by two programs', async () => {
  const clock = createClock(ANCHOR * 1_000)
  const double = stopLater(await startSolana({ clock, chain: createSolanaChain({ market }) }))
  const { http } = clientOf('solana', double.url)
  const { readStates, listAccounts } = createSolana({ http, url: double.url })
  const { address } = solanaWallets[0]!
  await listAccounts!(address)
  expect(double.asked).toHaveLength(CALLS_OF_LIST)
  await readStates!(Array.from({ length: ACCOUNTS_OF_CALL + 1 }, () => address))
  expect(double.asked).toHaveLength(CALLS_OF_LIST + 2)
})
