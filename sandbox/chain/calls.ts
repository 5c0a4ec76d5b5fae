import { readFileSync } from 'node:fs'
import { encodeFunctionData, type Abi } from 'viem'
import type { Compiled } from './compile.ts'
import type { TokenKind } from './tokens.ts'

const compiled = JSON.parse(
  readFileSync(new URL('./contracts/compiled.json', import.meta.url), 'utf8'),
) as Compiled

export type ContractName =
  | 'Token'
  | 'UsdCoin'
  | 'ContractWallet'
  | 'Weth'
  | 'Bytes32Token'
  | 'BareToken'
  | 'SpamToken'
  | 'Nft'
  | 'MultiNft'
  | 'Pool'
  | 'Router'
  | 'Airdrop'
  | DefiContractName

type DefiContractName =
  | ('Multicall3' | 'AaveMarket' | 'StakedAave' | 'Comet' | 'ConcentratedPool' | 'PositionManager')
  | ('Steth' | 'Wsteth' | 'WithdrawalQueue')

export const contractOf: Record<TokenKind, ContractName> = {
  erc20: 'Token',
  erc3009: 'UsdCoin',
  weth: 'Weth',
  bytes32: 'Bytes32Token',
  'no-decimals': 'BareToken',
  spam: 'SpamToken',
  erc721: 'Nft',
  erc1155: 'MultiNft',
}

/** Runtime bytecode of a sandbox contract. */
export function codeOf(name: ContractName): `0x${string}` {
  return compiled[name]!.runtime
}

/** Call data for a function of a sandbox contract. */
export function call(name: ContractName, functionName: string, args: unknown[]): `0x${string}` {
  return encodeFunctionData({ abi: compiled[name]!.abi as Abi, functionName, args })
}
