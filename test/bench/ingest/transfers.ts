import type { CopyValue } from '../../../db/copy-rows.ts'

/** Columns of `transfers` in the order of the chain's write path, and its natural key. */
export const COLUMNS = [
  'network_id',
  'tx_hash',
  'kind',
  'position',
  'item',
  'token_address',
  'token_id',
  'from_address',
  'to_address',
  'raw',
  'fan_out',
  'block_number',
  'block_hash',
  'at',
  'source',
  'fetched_at',
]
export const KEY = ['network_id', 'tx_hash', 'kind', 'position', 'item']

const ACCOUNTS = 20_000
const TOKENS = 200
const ROWS_PER_BLOCK = 100
const FROM_MS = Date.parse('2025-01-01')
const FETCHED_AT = new Date('2026-01-01')

/** Hashes a number to 32 well-mixed bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function hex(digits: number, seed: number): string {
  let text = ''
  for (let word = 0; text.length < digits; word++)
    text += mix(seed * 31 + word * 7_919 + 1)
      .toString(16)
      .padStart(8, '0')
  return `0x${text.slice(0, digits)}`
}

const accounts = Array.from({ length: ACCOUNTS }, (_, index) => hex(40, index + 1_000_000_000))
const tokens = Array.from({ length: TOKENS }, (_, index) => hex(40, index + 2_000_000_000))

/** Row number `index`: two transfers per transaction, 100 per block, hashes in no order. */
function transfer(index: number): CopyValue[] {
  const transaction = index >>> 1
  const block = Math.floor(index / ROWS_PER_BLOCK)
  // The hash contains the number, so that hashes are unique.
  const hash = `${hex(56, transaction)}${transaction.toString(16).padStart(8, '0')}`
  return [
    'ethereum',
    hash,
    'erc20',
    index % ROWS_PER_BLOCK,
    0,
    tokens[mix(index) % TOKENS]!,
    null,
    accounts[mix(index + 1) % ACCOUNTS]!,
    accounts[mix(index + 2) % ACCOUNTS]!,
    BigInt(mix(index + 3)) * 10n ** 12n,
    1,
    block,
    hex(64, block),
    new Date(FROM_MS + block * 12_000),
    'bench',
    FETCHED_AT,
  ]
}

/** Generates `count` rows from `from` on one by one, so that a batch is never in memory as a whole. */
export function* transfers(from: number, count: number): Generator<CopyValue[]> {
  for (let index = from; index < from + count; index++) yield transfer(index)
}
