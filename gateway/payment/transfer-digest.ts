import { hexToBytes, keccak256, stringToBytes } from 'viem/utils'
import { TOKEN } from './token.ts'

/**
 * An EIP-3009 authorization: addresses and nonce in lower-case hex, amounts in base units, times in Unix
 * seconds.
 */
export interface TransferAuthorization {
  from: string
  to: string
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: string
}

const hashText = (text: string) => keccak256(stringToBytes(text), 'bytes')
const number = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const address = (hex: string) => Buffer.from(hex.slice(2).padStart(64, '0'), 'hex')

export const TYPEHASH = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

export const DOMAIN_SEPARATOR = keccak256(
  Buffer.concat([
    hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
    hashText(TOKEN.name),
    hashText(TOKEN.version),
    number(BigInt(TOKEN.chainId)),
    address(TOKEN.address),
  ]),
  'bytes',
)

/** The EIP-712 digest that the payer signs. It covers only the transfer, no URL and no protocol version. */
export function transferDigest(transfer: TransferAuthorization): Uint8Array {
  const struct = Buffer.concat([
    TYPEHASH,
    address(transfer.from),
    address(transfer.to),
    number(transfer.value),
    number(transfer.validAfter),
    number(transfer.validBefore),
    hexToBytes(transfer.nonce as `0x${string}`),
  ])
  return keccak256(
    Buffer.concat([Buffer.from([0x19, 0x01]), DOMAIN_SEPARATOR, keccak256(struct, 'bytes')]),
    'bytes',
  )
}
