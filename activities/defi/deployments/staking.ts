import type { StakedToken } from '../families/staked-tokens.ts'
import type { VoteLock } from '../families/vote-locks.ts'
import type { ByNetwork } from './by-network.ts'

export interface LidoContracts {
  stEth: string
  wstEth: string
  withdrawalQueue: string
}

/** https://docs.lido.fi/deployed-contracts/ */
export const LIDO: ByNetwork<LidoContracts> = {
  ethereum: {
    stEth: '0xae7ab96520de3a18e5e111b5eaab095312d7fe84',
    wstEth: '0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0',
    withdrawalQueue: '0x889edc2edab5f40e902b864ad4d7ade8e412f9b1',
  },
}

/** Staked tokens with a rate of their own, from the protocols' lists of contracts. */
export const STAKED_TOKENS = {
  // https://docs.rocketpool.net/overview/contracts-integrations
  rocketPool: {
    ethereum: [
      {
        name: 'Rocket Pool ETH',
        token: '0xae78736cd615f374d3085123a210448e74fc6393',
        underlying: null,
        rate: { amount: 'getEthValue' },
      },
    ],
  },
  // https://etherfi.gitbook.io/etherfi/contracts-and-integrations/deployed-contracts
  etherFi: {
    ethereum: [
      {
        name: 'Wrapped eETH',
        token: '0xcd5fe23c85820f7b72d0926fc9b05b43e359b7ee',
        underlying: null,
        rate: { amount: 'getEETHByWeETH' },
      },
      { name: 'eETH', token: '0x35fa164735182de50811e8e2e824cfb9b6118ac2', underlying: null, rate: null },
    ],
  },
  // https://github.com/coinbase/wrapped-tokens-os
  coinbase: {
    ethereum: [
      {
        name: 'Coinbase staked ETH',
        token: '0xbe9895146f7af43049ca1c1ae358b0541ea49704',
        underlying: null,
        rate: { ofOne: 'exchangeRate' },
      },
    ],
  },
  // https://docs.swellnetwork.io
  swell: {
    ethereum: [
      {
        name: 'swETH',
        token: '0xf951e335afb289353dc249e82926178eac7ded78',
        underlying: null,
        rate: { ofOne: 'getRate' },
      },
    ],
  },
  // https://docs.benqi.fi
  benqi: {
    'avalanche-wallet': [
      {
        name: 'Staked AVAX',
        token: '0x2b2c81e08f1af8835a78bb2a90ae924ace0ea4be',
        underlying: null,
        rate: { amount: 'getPooledAvaxByShares' },
      },
    ],
  },
} satisfies Record<string, ByNetwork<readonly StakedToken[]>>

/** https://github.com/Layr-Labs/eigenlayer-contracts (deployments of the mainnet) */
export const EIGENLAYER: ByNetwork<{ strategyManager: string; delegationManager: string }> = {
  ethereum: {
    strategyManager: '0x858646372cc42e1a627fce94aa7a7033e7cf075a',
    delegationManager: '0x39053d51b77dc0d36036fc1fcc8cb819df8ef37a',
  },
}

/** Escrows, from https://github.com/DefiLlama/DefiLlama-Adapters (projects/curve, convex, balancer and fraxfinance). */
export const VOTE_LOCKS = {
  curve: {
    ethereum: {
      name: 'Locked CRV',
      escrow: '0x5f3b5dfeb7b28cdbd7faba78963ee202a494e2a2',
      token: '0xd533a949740bb3306d119cc777fa900ba034cd52',
    },
  },
  balancer: {
    ethereum: {
      name: 'Locked liquidity of BAL and WETH',
      escrow: '0xc128a9954e6c874ea3d62ce62b468ba073093f25',
      token: '0x5c6ee304399dbdb9c8ef030ab642b10820db8f56',
    },
  },
} satisfies Record<string, ByNetwork<VoteLock>>
