import { expect, test } from 'vitest'
import * as chains from 'viem/chains'
import { NETWORKS, networkNamed } from '../../db/values/networks.ts'

test('all covers the networks of the contract, Bitcoin and Solana', () => {
  expect(NETWORKS.flatMap(({ id, inAll }) => (inAll ? [id] : []))).toEqual([
    'ethereum',
    'binancesmartchain',
    'base-wallet',
    'polygon-wallet',
    'arbitrum-wallet',
    'optimism-wallet',
    'avalanche-wallet',
    'hyperevm-wallet',
    'monad-wallet',
    'plasma-wallet',
    'bitcoin',
    'solana',
  ])
})

test('addresses are in lower case, and pages of explorers begin without a slash at the end', () => {
  for (const { kind, wrapped, nativeToken, multicall3, explorerUrl } of NETWORKS) {
    if (kind === 'evm')
      for (const one of [wrapped, nativeToken, multicall3])
        if (one !== null) expect(one).toMatch(/^0x[0-9a-f]{40}$/)
    expect(explorerUrl).toMatch(/^https:.*[^/]$/)
  }
})

test('each spelling of a network is of that one alone', () => {
  for (const { id, blockchain, name, names, spellings } of NETWORKS) {
    const all = [id, blockchain, name, name.toUpperCase(), names.coingecko ?? id, ...spellings]
    expect(all.map((spelling) => networkNamed(spelling)?.id)).toEqual(all.map(() => id))
  }
})

const witnesses: readonly chains.Chain[] = Object.values(chains).filter((one) => typeof one === 'object')

test('viem knows each EVM network with the same chain id, native coin and Multicall3', () => {
  const evm = NETWORKS.filter(({ kind }) => kind === 'evm')
  const facts = evm.map(({ chainId, coin: { symbol, decimals }, multicall3 }) => ({
    chainId,
    symbol,
    decimals,
    multicall3,
  }))
  const witnessed = evm.map(({ chainId, name }) => {
    const chain = witnesses.find((one) => one.id === chainId && !one.testnet)
    if (!chain) throw new Error(`viem has no chain ${chainId} (${name})`)
    return {
      chainId: chain.id,
      symbol: chain.nativeCurrency.symbol,
      decimals: chain.nativeCurrency.decimals,
      multicall3: chain.contracts?.multicall3?.address.toLowerCase(),
    }
  })
  expect(facts).toEqual(witnessed)
})
