import { base58 } from '@scure/base'

// Tokens are numbers of 256 bits on EVM networks. On Solana a token is an account: the number is its public key.

/** Decimal text of the number that an account's key is, its first byte the highest. */
export const assetNumber = (address: string): string =>
  BigInt(`0x${Buffer.from(base58.decode(address)).toString('hex')}`).toString()

/** The account (base58) whose key is the number. */
export const assetAddress = (number: string): string =>
  base58.encode(Buffer.from(BigInt(number).toString(16).padStart(64, '0'), 'hex'))
