import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { AN_ADDRESS, BASE58, param, WALLET_EXAMPLE } from '../params.ts'

/** Canonical address of an EVM network or of Solana. */
export const nftAddressParam = (description: string) =>
  param(
    (text) => {
      const parsed = parseWalletAddress(text)
      return parsed?.kind === 'evm' || parsed?.kind === 'solana' ? parsed.address : undefined
    },
    {
      pattern: `^(0x([0-9a-f]{40}|[0-9A-F]{40})|${BASE58}{32,44})$`,
      reason: `${AN_ADDRESS}, or an account of Solana`,
      description,
      example: WALLET_EXAMPLE,
    },
  )
