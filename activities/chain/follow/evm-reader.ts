import type pg from 'pg'
import { networkAddresses, uncoveredWallets } from '../../../db/chain/coverage.ts'
import { decodeBlock } from '../sources/decode-transaction.ts'
import { createAddressSet } from './address-set.ts'
import type { AddressSet } from './address-set.ts'
import type { AskNode, FollowedHeader } from './block-data.ts'
import type { BlockReader, TakenUp } from './block-reader.ts'
import { confirmBlocks } from './confirm-blocks.ts'
import { createReceiptFetcher } from './fetch-receipts.ts'
import type { FollowedNetwork } from './follow-head.ts'
import { readAgain, readBatch } from './read-batch.ts'
import type { BlockRule } from './verify-block.ts'

export interface EvmNetwork extends FollowedNetwork {
  headTag: string
  unproven: ReadonlySet<BlockRule>
  /** contract of the wrapped native asset */
  wrappedAddress: string | null
}

export interface EvmReaderDeps {
  pool: pg.Pool
  /** The node of a batch: its answers must not mix with those of another one. */
  chooseNode: () => AskNode
  /** the addresses of all networks that this process follows */
  set: AddressSet
  now: () => Date
}

/** Reads the blocks of an EVM network. */
export function createEvmReader(deps: EvmReaderDeps, network: EvmNetwork): BlockReader {
  const { pool, chooseNode, set, now } = deps
  const { source, reorgDepth, wrappedAddress } = network
  const networkId = network.id
  let ask = chooseNode()
  const fetcher = createReceiptFetcher({ ask: (method, params) => ask(method, params), ...network })
  const reading = { fetcher, source, wrappedAddress, now }
  let newest: FollowedHeader | null = null

  async function head() {
    ask = chooseNode()
    newest = await fetcher.head()
    return decodeBlock(newest)
  }

  async function loadAddresses(): Promise<void> {
    for await (const page of networkAddresses(pool, networkId)) for (const address of page) set.add(address)
  }

  async function takeUp(): Promise<TakenUp> {
    const added = await uncoveredWallets(pool, networkId)
    const addedSet = createAddressSet()
    for (const { address } of added) {
      set.add(address)
      addedSet.add(address)
    }
    return { walletIds: added.map(({ walletId }) => walletId), set: addedSet }
  }

  return {
    loadAddresses,
    head,
    headers: fetcher.headers,
    takeUp,
    readBatch: async (from) => readBatch(reading, { from, head: newest ?? (await fetcher.head()), set }),
    readAgain: (input) => readAgain(reading, input),
    confirm: (input) => confirmBlocks({ pool, fetcher }, { ...input, networkId, source, reorgDepth }),
  }
}
