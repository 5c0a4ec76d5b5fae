/** Chain ids of the EVM networks by id, as the table networks has them: some programs run before there is a database. */
export const CHAIN_IDS: Readonly<Record<string, number>> = {
  ethereum: 1,
  binancesmartchain: 56,
  'base-wallet': 8453,
  'polygon-wallet': 137,
  'arbitrum-wallet': 42161,
  'optimism-wallet': 10,
  'avalanche-wallet': 43114,
  'hyperevm-wallet': 999,
  'monad-wallet': 143,
  'plasma-wallet': 9745,
}
