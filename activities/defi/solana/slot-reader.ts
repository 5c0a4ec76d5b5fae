import type { ReadonlyUint8Array } from '@solana/codecs'
import { z } from 'zod'
import { batchesOf } from '../../../db/values/batches.ts'
import { SourceUnavailable } from '../../errors.ts'
import {
  ACCOUNTS_PER_CALL,
  count,
  slotNumber,
  type SolanaClient,
  withSlot,
} from '../../nodes/solana-client.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import type { PinnedBlock } from '../network-at-block.ts'
import { derivedAddress } from './codecs.ts'

export interface ChainAccount {
  address: string
  /** program whose data it holds */
  owner: string
  lamports: bigint
  data: Uint8Array
}

/** Accounts of a program by their size and a key in them. */
export interface AccountsQuery {
  program: string
  /** bytes */
  size: number
  /** base58 */
  key: string
  /** of the key, in bytes */
  offset: number
}

/**
 * Reads accounts at the newest final slot. Nodes answer for their own newest slot only, so an answer may be of a later
 * slot than `block`, never of an earlier one.
 */
export interface SlotReader {
  block: PinnedBlock
  epoch: bigint
  /** When an epoch begins or began, if each slot lasts as long as the cluster aims at. */
  startOf: (epoch: bigint) => Date
  /** In the order asked; null: there is none. All that earlier answers and derived addresses lead to share calls. */
  accounts: (addresses: readonly string[]) => Promise<(ChainAccount | null)[]>
  /** Address of an account that a program keeps under seeds, for which reads of accounts wait. Keys are given as bytes. */
  derived: (program: string, seeds: (string | ReadonlyUint8Array)[]) => Promise<string>
  /** Asks getProgramAccounts, which public nodes may refuse for some programs or altogether. */
  accountsWith: (query: AccountsQuery) => Promise<ChainAccount[]>
  /** Base units of the tokens of an owner, by mint. */
  tokensOf: (owner: string) => Promise<Map<string, bigint>>
}

/** https://solana.com/docs/references/terminology#slot */
const MS_PER_SLOT = 400
/** A time that programs may exceed, as text has it. */
const LATEST_MS = Date.UTC(9999, 11, 31)

/** The time after some milliseconds since 1970, at most the end of the year 9999. */
export const timeAt = (ms: number): Date => new Date(Math.min(ms, LATEST_MS))

const epochInfo = z.object({
  absoluteSlot: slotNumber,
  epoch: count,
  slotIndex: count,
  slotsInEpoch: count,
})
const base64 = z.tuple([z.string(), z.literal('base64')]).transform(([text]) => Buffer.from(text, 'base64'))
const account = z.object({ lamports: count, owner: z.string(), data: base64 })
const someAccounts = withSlot(z.array(account.nullable()))
const programAccounts = withSlot(z.array(z.object({ pubkey: z.string(), account })))

/** Takes the newest final slot. `onProgress` is called after each request. */
export async function readAtFinalSlot(client: SolanaClient, onProgress: () => void): Promise<SlotReader> {
  const { call } = client
  const info = await call('getEpochInfo', [{ commitment: 'finalized' }], epochInfo)
  const slot = info.absoluteSlot
  const atMs = (await client.blockTime(slot)) * 1_000
  onProgress()
  const options = { encoding: 'base64', commitment: 'finalized', minContextSlot: slot }
  const known = new Map<string, Promise<ChainAccount | null>>()
  let waiting: {
    address: string
    resolve: (of: ChainAccount | null) => void
    reject: (e: unknown) => void
  }[] = []
  let deriving = 0

  async function flush(): Promise<void> {
    if (deriving > 0) return
    const all = waiting
    waiting = []
    for (const part of batchesOf(all, ACCOUNTS_PER_CALL)) {
      try {
        const addresses = part.map(({ address }) => address)
        const { value } = await call('getMultipleAccounts', [addresses, options], someAccounts)
        if (value.length !== part.length)
          throw new SourceUnavailable(SOLANA, `${value.length} of ${part.length} accounts were answered`)
        onProgress()
        part.forEach(({ address, resolve }, k) => resolve(value[k] ? { address, ...value[k] } : null))
      } catch (error) {
        for (const { reject } of part) reject(error)
      }
    }
  }

  const flushNext = () => setImmediate(() => void flush())

  function accountAt(address: string): Promise<ChainAccount | null> {
    const asked = known.get(address)
    if (asked) return asked
    const answer = new Promise<ChainAccount | null>((resolve, reject) => {
      // After all reads that the last answers led to.
      if (waiting.length === 0) flushNext()
      waiting.push({ address, resolve, reject })
    })
    known.set(address, answer)
    return answer
  }

  async function derived(...of: Parameters<SlotReader['derived']>): Promise<string> {
    deriving++
    try {
      return await derivedAddress(...of)
    } finally {
      deriving--
      flushNext()
    }
  }

  return {
    block: { number: slot, hash: String(slot), at: new Date(atMs) },
    epoch: info.epoch,
    startOf(epoch) {
      const slots = (epoch - info.epoch) * info.slotsInEpoch - info.slotIndex
      return timeAt(atMs + Number(slots) * MS_PER_SLOT)
    },
    accounts: (addresses) => Promise.all(addresses.map(accountAt)),
    derived,
    async accountsWith({ program, size, key, offset }) {
      const filters = [{ dataSize: size }, { memcmp: { offset, bytes: key } }]
      const query = { ...options, filters, withContext: true }
      const { value } = await call('getProgramAccounts', [program, query], programAccounts)
      onProgress()
      return value.map((one) => ({ address: one.pubkey, ...one.account }))
    },
    async tokensOf(owner) {
      const { accounts } = await client.readTokenAccounts(owner, { minContextSlot: slot })
      onProgress()
      const amounts = new Map<string, bigint>()
      for (const { mint, amount } of accounts) amounts.set(mint, (amounts.get(mint) ?? 0n) + amount)
      return amounts
    },
  }
}
