import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

/** The hash of a name as a public key without a known secret. */
export const keyOf = (name: string): string =>
  base58.encode(createHash('sha256').update(`sandbox solana ${name}`).digest())

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

export type SolanaToken = {
  mint: string
  decimals: number
  program: string
  /** Coin id in the simulated market; null: unlisted. */
  coinId: string | null
  /** Metadata in the mint (Token-2022 only). */
  metadata: { symbol: string; name: string } | null
}

const listed = (mint: string, decimals: number, coinId: string): SolanaToken => ({
  mint,
  decimals,
  coinId,
  program: TOKEN_PROGRAM,
  metadata: null,
})

export const usdc = listed('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 6, 'usd-coin')
export const usdt = listed('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 6, 'tether')
export const drop = listed(keyOf('mint drop'), 9, 'sluice-drop')
export const wrappedSol: SolanaToken = {
  mint: WRAPPED_SOL,
  decimals: 9,
  coinId: null,
  program: TOKEN_PROGRAM,
  metadata: null,
}
export const nameless: SolanaToken = {
  mint: keyOf('mint nameless'),
  decimals: 4,
  coinId: null,
  program: TOKEN_PROGRAM,
  metadata: null,
}
export const scam: SolanaToken = {
  mint: keyOf('mint scam'),
  decimals: 0,
  coinId: null,
  program: TOKEN_2022_PROGRAM,
  metadata: { symbol: 'GIFT', name: 'Claim at solgift.example' },
}

/** Tokens of staked SOL. */
const staked = (mint: string): SolanaToken => ({ ...nameless, mint, decimals: 9 })
export const jitoSol = staked('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn')
export const mSol = staked('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So')

/** NFTs of positions of liquidity. */
const nft = (name: string, metadata: SolanaToken['metadata']): SolanaToken => ({
  mint: keyOf(name),
  decimals: 0,
  coinId: null,
  program: metadata ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
  metadata,
})
export const whirlpoolNft = nft('mint whirlpool position', { symbol: 'OWP', name: 'Orca Whirlpool Position' })
export const raydiumNft = nft('mint raydium position', null)

export const solanaTokens: SolanaToken[] = [
  usdc,
  usdt,
  drop,
  wrappedSol,
  nameless,
  scam,
  jitoSol,
  mSol,
  whirlpoolNft,
  raydiumNft,
]
