import type pg from 'pg'
import { networkAddresses, uncoveredWallets } from '../../../db/chain/coverage.ts'
import type { FollowMethod } from '../../../db/chain/follows.ts'
import { SourceUnavailable } from '../../errors.ts'
import type { ChosenNode } from '../../nodes/node-pool.ts'
import { refusalOf } from '../../nodes/rpc-refusal.ts'
import { decodeBlock } from '../sources/decode-transaction.ts'
import { createAddressSet } from './address-set.ts'
import type { AddressSet } from './address-set.ts'
import type { BlockFetcher, FollowedHeader } from './block-data.ts'
import type { BlockReader, TakenUp } from './block-reader.ts'
import { confirmBlocks } from './confirm-blocks.ts'
import { createLogFetcher, LOG_METHODS } from './fetch-logs.ts'
import { createReceiptFetcher, RECEIPT_METHODS } from './fetch-receipts.ts'
import type { FollowedNetwork } from './follow-head.ts'
import { readAgain, readBatch } from './read-batch.ts'
import { createHeaderReader } from './read-headers.ts'
import type { BlockRule } from './verify-block.ts'

export interface EvmNetwork extends FollowedNetwork {
  headTag: string
  unproven: ReadonlySet<BlockRule>
  /** contract of the wrapped native asset */
  wrappedAddress: string | null
}

export interface EvmReaderDeps {
  pool: pg.Pool
  /**
   * A node that has the methods. The answers of a batch must not mix with those of another one. Throws
   * SourceUnavailable.
   */
  chooseNode: (methods: readonly string[]) => Pick<ChosenNode, 'ask'>
  /** the addresses of all networks that this process follows */
  set: AddressSet
  now: () => Date
}

/** Ways to read a block, in order of preference. */
const METHODS = [
  { method: 'receipts', needs: RECEIPT_METHODS },
  { method: 'logs', needs: LOG_METHODS },
] as const

/** Reads the blocks of an EVM network. */
export function createEvmReader(deps: EvmReaderDeps, network: EvmNetwork): BlockReader {
  const { pool, chooseNode, set, now } = deps
  const { source, reorgDepth, wrappedAddress } = network
  const networkId = network.id
  let current = null as { method: 'receipts' | 'logs'; node: Pick<ChosenNode, 'ask'> } | null
  const ask = (method: string, params: readonly unknown[]) => {
    current ??= choose()
    return current.node.ask(method, params)
  }
  const chain = createHeaderReader({ ask, ...network, full: false })
  const fetchers: Record<'receipts' | 'logs', BlockFetcher> = {
    receipts: createReceiptFetcher({ ask, ...network }),
    logs: createLogFetcher({ ask, ...network }),
  }
  let newest: FollowedHeader | null = null

  function choose(): NonNullable<typeof current> {
    let failure: unknown
    for (const { method, needs } of METHODS)
      try {
        return { method, node: chooseNode(needs) }
      } catch (error) {
        if (!(error instanceof SourceUnavailable)) throw error
        failure ??= error
      }
    throw failure
  }

  const reading = () => ({
    fetcher: fetchers[(current ??= choose()).method],
    source,
    wrappedAddress,
    now,
  })

  /** A node that refuses a method is known for it from then on: the next choice is another node or method. */
  async function triedByNode<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (refusalOf(error)?.kind !== 'method') throw error
      throw new SourceUnavailable(source, (error as Error).message)
    }
  }

  async function head() {
    current = choose()
    newest = await triedByNode(reading().fetcher.head)
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
    method: (): FollowMethod => {
      const { method } = (current ??= choose())
      const reason = method === 'logs' ? 'no node that can be asked has the receipts of blocks' : null
      return { mode: 'blocks', method, tickMs: null, reason }
    },
    headers: chain.headers,
    takeUp,
    readBatch: (from) =>
      triedByNode(async () =>
        readBatch(reading(), { from, head: newest ?? (await reading().fetcher.head()), set }),
      ),
    readAgain: (input) => triedByNode(() => readAgain(reading(), input)),
    confirm: (input) => confirmBlocks({ pool, chain }, { ...input, networkId, source, reorgDepth }),
  }
}
