import { SourceUnavailable } from '../errors.ts'
import type { RpcAnswer, RpcClient } from './rpc.ts'

interface ContractMetadata {
  address: string
  /** null when the contract returns none, or none that is readable */
  symbol: string | null
  name: string | null
  decimals: number | null
}

const SELECTORS = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  balanceOf: '0x70a08231',
}
const LONGEST_TEXT = 128

/**
 * Reads symbol, name and decimals from token contracts. A call that reverts or returns nonsense gives null;
 * an unreachable node throws.
 */
export async function readTokenMetadata(
  client: RpcClient,
  addresses: readonly string[],
): Promise<ContractMetadata[]> {
  const fields = [SELECTORS.symbol, SELECTORS.name, SELECTORS.decimals]
  const answers = await client.send(
    addresses.flatMap((to) =>
      fields.map((data) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })),
    ),
  )
  return addresses.map((address, i) => ({
    address,
    symbol: textIn(data(answers[3 * i])),
    name: textIn(data(answers[3 * i + 1])),
    decimals: smallNumberIn(data(answers[3 * i + 2])),
  }))
}

/** A block by its hash, or by its number in hexadecimal. */
export type BlockKey = { blockHash: string } | `0x${string}`

/** Balances of an account at one pinned block. null for a token whose call fails. */
export async function readBalances(
  client: RpcClient,
  request: { account: string; tokens: readonly string[]; block: BlockKey },
): Promise<{ native: bigint; tokens: (bigint | null)[] }> {
  const { block } = request
  const owner = request.account.slice(2).padStart(64, '0')
  const [native, ...tokens] = await client.send([
    { method: 'eth_getBalance', params: [request.account, block] },
    ...request.tokens.map((to) => ({
      method: 'eth_call',
      params: [{ to, data: `${SELECTORS.balanceOf}${owner}` }, block],
    })),
  ])
  if (!native || 'error' in native) throw native?.error ?? new SourceUnavailable(client.source, 'no balance')
  return { native: BigInt(native.result as string), tokens: tokens.map((answer) => numberIn(data(answer))) }
}

/** Hexadecimal digits of a call's result without the prefix. null when the call failed. */
function data(answer: RpcAnswer | undefined): string | null {
  if (!answer || 'error' in answer) {
    if (!answer || answer.error instanceof SourceUnavailable)
      throw answer?.error ?? new Error('missing answer')
    return null
  }
  return typeof answer.result === 'string' ? answer.result.slice(2) : null
}

/** The first word of a call's result. */
export function numberIn(digits: string | null): bigint | null {
  return digits !== null && digits.length >= 64 ? BigInt(`0x${digits.slice(0, 64)}`) : null
}

/** The first word, if it fits into a byte. */
export function smallNumberIn(digits: string | null): number | null {
  const value = numberIn(digits)
  return value !== null && value <= 255n ? Number(value) : null
}

/** Decodes an ABI string, or the bytes32 that tokens from before 2018 return. */
export function textIn(digits: string | null): string | null {
  if (digits === null || digits.length < 64) return null
  let bytes = digits.slice(0, 64)
  if (digits.length >= 128 && BigInt(`0x${bytes}`) === 32n) {
    const length = Math.min(Number(BigInt(`0x${digits.slice(64, 128)}`)), 4_096)
    bytes = digits.slice(128, 128 + 2 * length)
  }
  const decoded = Buffer.from(bytes, 'hex').toString('utf8')
  // Postgres rejects NUL, and other control characters do not belong in a name either.
  const clean = decoded.replace(/\p{Cc}/gu, '').trim()
  return clean === '' ? null : clean.slice(0, LONGEST_TEXT)
}
