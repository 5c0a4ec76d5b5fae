import type pg from 'pg'
import { networkAddresses, uncoveredWallets } from '../../../db/chain/coverage.ts'
import type { BlockMark, FollowMethod } from '../../../db/chain/follows.ts'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { UsableNode } from '../../nodes/node-pool.ts'
import { decodeBlock } from '../sources/decode-transaction.ts'
import { createAddressSet } from './address-set.ts'
import type { AddressSet } from './address-set.ts'
import { auditRange } from './audit-range.ts'
import type { FollowedHeader } from './block-data.ts'
import { createBlockMethods } from './block-methods.ts'
import type { ChooseNode } from './block-methods.ts'
import type { BlockReader, TakenUp } from './block-reader.ts'
import { rangesAreCheaper } from './cheaper-way.ts'
import { createBranchChoice } from './choose-branch.ts'
import { compareNodes } from './compare-nodes.ts'
import { confirmBlocks } from './confirm-blocks.ts'
import { createRangeFetcher, RANGE_METHODS } from './fetch-ranges.ts'
import { evmWallets } from './evm-wallets.ts'
import type { FollowedNetwork } from './follow-head.ts'
import { readAgain, readBatch, readRange } from './read-batch.ts'
import type { BlockRule } from './verify-block.ts'
import type { NativeContracts } from '../sources/native-transfers.ts'

export interface EvmNetwork extends FollowedNetwork {
  headTag: string
  unproven: ReadonlySet<BlockRule>
  contracts: NativeContracts
}

/** How the network is to be read, as far as its nodes allow. */
export interface ReadPlan {
  /** time between two reads of a range; null: each block is read when it comes */
  tickMs: number | null
  /** why no better method is used; null: there is none */
  reason: string | null
  /** the node that it is made for; null: any */
  node: string | null
}

export interface EvmReaderDeps {
  pool: pg.Pool
  /** The answers of a batch must not mix with those of another node. */
  chooseNode: ChooseNode
  /** Asked before each batch. Throws SourceRejected where no allowance bears any method. */
  plan: () => Promise<ReadPlan>
  /** all nodes that can be asked */
  nodes: () => readonly UsableNode[]
  /** the addresses of all networks that this process follows */
  set: AddressSet
  now: () => Date
}

const BLOCKS_PER_RANGE = 5_000
/** A node that has no balances of older blocks may have them later, or another one is used by then. */
const REFUSED_MS = 600_000

/** Reads the blocks of an EVM network. */
export function createEvmReader(deps: EvmReaderDeps, network: EvmNetwork): BlockReader {
  const { pool, set, now } = deps
  const { source, reorgDepth, contracts } = network
  const networkId = network.id
  const methods = createBlockMethods({ ...network, chooseNode: deps.chooseNode })
  const { run, old } = methods
  /** The wallets of the network themselves, for ranges: their balances are asked for. null: not loaded */
  let wallets: Set<string> | null = null
  const ranges = createRangeFetcher(network)
  const branch = createBranchChoice({ pool, networkId, nodes: deps.nodes, headTag: network.headTag, now })
  let plan: ReadPlan = { tickMs: null, reason: null, node: null }
  let count = 0
  /** part of the last blocks that named an address of the set */
  let busy = 0
  let refused: { reason: string; untilMs: number } | null = null
  let newest: FollowedHeader | null = null

  const isByRanges = () => plan.tickMs !== null && refused === null

  const reading = () => ({ fetcher: methods.current().fetcher, source, contracts, now })

  async function head(next: number | null) {
    plan = await deps.plan()
    if (refused && refused.untilMs <= now().getTime()) refused = null
    if (!isByRanges()) wallets = null
    const held = branch.held()
    const prefer = branch.preferred() ?? plan.node
    const { node } = methods.choose({ methods: isByRanges() ? RANGE_METHODS : [], prefer, block: next })
    if (held !== null && node.name !== held)
      throw new SourceUnavailable(source, `nodes are on different branches, and ${held} does not answer`)
    newest = await run(({ fetcher }) => fetcher.head())
    return decodeBlock(newest)
  }

  function method(): FollowMethod {
    const held = branch.held()
    const { tickMs } = plan
    const reason = held === null ? plan.reason : `nodes are on different branches: ${held} is followed`
    const { method: by, node } = methods.current()
    if (isByRanges()) return { mode: 'ranges', method: 'ranges', tickMs, reason, node: node.name }
    const lacking = by === 'logs' ? 'no node that can be asked has the receipts of blocks' : null
    const why = refused?.reason ?? reason ?? lacking
    return { mode: 'blocks', method: by, tickMs: null, reason: why, node: node.name }
  }

  async function load(): Promise<void> {
    await branch.load()
    for await (const page of networkAddresses(pool, networkId)) {
      for (const address of page) set.add(address)
      count += page.length
    }
  }

  async function loadWallets(): Promise<Set<string>> {
    if (wallets) return wallets
    const loaded = new Set<string>()
    for await (const page of networkAddresses(pool, networkId))
      for (const address of page) loaded.add(address)
    wallets = loaded
    return loaded
  }

  async function takeUp(): Promise<TakenUp> {
    const added = await uncoveredWallets(pool, { networkId, readThrough: -1 })
    const addedSet = createAddressSet()
    for (const { address } of added) {
      set.add(address)
      addedSet.add(address)
      wallets?.add(address)
      count++
    }
    return { walletIds: added.map(({ walletId }) => walletId), set: addedSet }
  }

  async function readNext({ after, from }: { after: BlockMark | null; from: number }) {
    const top = newest ?? (await methods.current().fetcher.head())
    const last = after && lastOfRange(after.number, Number(top.number))
    if (after && last)
      try {
        return await readRangeTo(last, { after, top })
      } catch (error) {
        if (!(error instanceof SourceRejected)) throw error
        refused = { reason: error.message, untilMs: now().getTime() + REFUSED_MS }
      }
    const blocks = await readBatch(reading(), { from, head: top, set })
    const named = blocks.filter(({ match }) => match.addresses.size > 0).length
    busy += (named / blocks.length - busy) / 10
    return blocks
  }

  /** The last block of the next range; null: the next blocks are read one by one. */
  function lastOfRange(after: number, top: number): number | null {
    if (isByRanges()) return Math.min(top, after + BLOCKS_PER_RANGE)
    const settled = top - reorgDepth
    if (refused !== null || settled - after < reorgDepth) return null
    const { method: by, node } = methods.current()
    const gap = { blocks: settled - after, busy, wallets: count, method: by }
    const isCheaper = rangesAreCheaper({ ...gap, plan: node.plan, logBlocks: node.client.logRange.blocks() })
    return isCheaper ? Math.min(settled, after + BLOCKS_PER_RANGE) : null
  }

  async function readRangeTo(last: number, { after, top }: { after: BlockMark; top: FollowedHeader }) {
    const { node } = methods.current()
    const input = { node, after, head: top, last, wallets: await loadWallets() }
    return readRange({ ...reading(), ranges, networkId }, { ...input, set })
  }

  return {
    load,
    head,
    method,
    headers: old.headers,
    takeUp,
    readBatch: (input) => run(() => readNext(input)),
    mayReplace: async (cursor) => {
      const head = Number(newest?.number ?? 0)
      return await branch.mayReplace({ node: methods.current().node.name, cursor, head })
    },
    rewound: branch.rewound,
    committed: () => branch.follow(methods.current().node.name),
    readAgain: (input) => run(() => readAgain(reading(), input)),
    confirm: (input) =>
      run(() =>
        confirmBlocks(
          {
            pool,
            chain: old,
            async audit(range) {
              const audited = { ...range, networkId, source, epoch: input.epoch }
              await auditRange({ pool, methods, wallets: loadWallets, reading: reading() }, audited)
              await compareNodes({ pool, methods, now }, audited)
            },
          },
          { ...input, networkId, source, reorgDepth },
        ),
      ),
    ...evmWallets(networkId),
  }
}
