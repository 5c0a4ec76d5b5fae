import type pg from 'pg'
import {
  beginFollow,
  endFollow,
  networksWithWallets,
  noteAtHead,
  noteIdle,
  noteTrouble,
  readFollow,
  restartFollow,
} from '../../../db/chain/follows.ts'
import type { BlockMark } from '../../../db/chain/follows.ts'
import { transact } from '../../../db/transact.ts'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import { refusalOf } from '../../nodes/rpc.ts'
import { ReorgDetected, undoReorg } from '../reorg.ts'
import type { ChainBlock } from '../chain-data.ts'
import type { BlockReader } from './block-reader.ts'
import { commitBatch, CursorMoved, Superseded } from './commit-batch.ts'
import { createPollTimes } from './poll-times.ts'
import { markOf } from './read-batch.ts'
import { createRecentBlocks } from './recent-blocks.ts'

export interface FollowedNetwork {
  id: string
  /** name of the source of the rows */
  source: string
  reorgDepth: number
  blockMs: number
}

export interface FollowDeps {
  pool: pg.Pool
  reader: BlockReader
  now: () => Date
  /** Ends early, without an error, when the attempt must end. */
  wait: (ms: number) => Promise<void>
  /** whether the attempt must end: the worker shuts down */
  isEnding: () => boolean
  /** Blocks that a follower catches up with. Beyond that it begins anew at the head. */
  mostBehind: number
}

const ATTEMPT_MS = 60 * 60_000
/** Longer than the blocks of most chains: each of them notes it as well. A wallet is behind after 30 seconds. */
const NOTE_HEAD_MS = 15_000
const CONFIRM_MS = 60_000
/** On a slow chain little becomes final in a minute: Ethereum's final block moves every six. */
const CONFIRM_BLOCKS = 20
const LONGEST_PAUSE_MS = 30_000
/** A new wallet is synced meanwhile. */
const IDLE_PAUSE_MS = 15_000

/**
 * Follows the head of a network for an hour, or until the worker shuts down. Every block is read once, matched
 * against all wallets and committed with the cursor. Nothing is read before the network has a wallet. `off`: the
 * source refused, and `network_follows` has the reason.
 */
export async function followHead(deps: FollowDeps, network: FollowedNetwork): Promise<'again' | 'off'> {
  const { pool, now } = deps
  const networkId = network.id
  const { epoch } = await beginFollow(pool, networkId)
  const endMs = now().getTime() + ATTEMPT_MS
  const isOver = () => now().getTime() >= endMs || deps.isEnding()
  while ((await networksWithWallets(pool, [networkId])).length === 0) {
    if (isOver() || !(await noteIdle(pool, { networkId, epoch }))) return 'again'
    await deps.wait(IDLE_PAUSE_MS)
  }
  const follower = await createFollower(deps, { network, epoch })
  let failures = 0
  while (!isOver()) {
    let pauseMs: number
    try {
      pauseMs = await follower.step()
      failures = 0
    } catch (error) {
      if (error instanceof Superseded) return 'again'
      if (error instanceof SourceRejected) {
        await endFollow(pool, { networkId, epoch, reason: error.message })
        return 'off'
      }
      if (!(error instanceof SourceUnavailable)) throw error
      pauseMs = Math.max(error.retryAfterMs ?? 0, Math.min(1_000 * 2 ** failures++, LONGEST_PAUSE_MS))
      if (!(await noteTrouble(pool, { networkId, epoch, reason: error.message }))) return 'again'
    }
    if (pauseMs > 0) await deps.wait(pauseMs)
  }
  return 'again'
}

interface Follower {
  /** One question for the head and at most one batch. Returns the pause before the next one. */
  step: () => Promise<number>
}

/** An attempt to follow a network. Its set has every wallet that an earlier attempt covered. */
export async function createFollower(
  deps: FollowDeps,
  { network, epoch }: { network: FollowedNetwork; epoch: string },
): Promise<Follower> {
  const { pool, reader, now } = deps
  const { source, reorgDepth } = network
  const networkId = network.id
  const recent = createRecentBlocks(reorgDepth)
  const times = createPollTimes(network.blockMs)
  let cursor: BlockMark | null = null
  /** the block that is read next; null: not known before the head is */
  let next: number | null = null
  let confirmed = -1
  let notedAtMs = 0
  let confirmedAtMs = 0

  async function readCursor(): Promise<void> {
    const follow = await readFollow(pool, networkId)
    cursor = follow?.cursor ?? null
    next = cursor && cursor.number + 1
    confirmed = follow?.confirmed ?? -1
    recent.cut(cursor?.number ?? -1)
  }

  await reader.load()
  await readCursor()

  async function step(): Promise<number> {
    const head = await headFor(next)
    const { number } = head
    if (cursor && number - cursor.number > deps.mostBehind) cursor = null
    if (cursor && number <= cursor.number) {
      // A node that is behind says nothing about newer blocks: a shorter branch is never taken.
      if (number === cursor.number && head.hash !== cursor.hash) return await rewind(cursor)
      if (number === cursor.number) await noteHead()
      return reader.method().tickMs ?? times.afterMiss()
    }
    try {
      return await advance(head)
    } catch (error) {
      if (error instanceof CursorMoved) {
        await readCursor()
        return 0
      }
      if (error instanceof ReorgDetected && cursor) return await rewind(cursor)
      throw error
    }
  }

  /** Where no node has the next block any more, the follower begins anew at the head. */
  async function headFor(block: number | null): Promise<ChainBlock> {
    try {
      return await reader.head(block)
    } catch (error) {
      if (!cursor || refusalOf(error)?.kind !== 'archive') throw error
      cursor = null
      return await reader.head(null)
    }
  }

  async function advance({ number }: ChainBlock): Promise<number> {
    const after = cursor
    const from = after ? after.number + 1 : Math.max(0, number - reorgDepth)
    if (!after) await restart(from)
    next = from
    // Wallets are taken up before the batch is fetched, so every block of it is matched for them.
    const { walletIds, set } = await reader.takeUp(from)
    const fetchedAt = now()
    const blocks = await reader.readBatch({ after, from })
    const first = blocks[0]!.block
    if (first.number === from && after && first.parentHash !== after.hash)
      throw new ReorgDetected(networkId, after.number)
    const late = walletIds.length > 0 ? recent.matching(set) : []
    const through = after ? await confirm(after, number) : confirmed
    await commitBatch(
      { pool, reader },
      {
        networkId,
        source,
        epoch,
        fetchedAt,
        after,
        headBlock: number,
        method: reader.method(),
        blocks,
        late: await reader.readAgain({ marks: late, set }),
        cover: { walletIds, fromBlock: recent.first() ?? from },
        confirm: through > confirmed ? { above: confirmed, block: through } : null,
      },
    )
    confirmed = through
    notedAtMs = now().getTime()
    for (const { block, match } of blocks) {
      if (match.candidates) recent.add(markOf(block), match.candidates)
      // Wallets that are added later cannot be looked up in blocks that were not read.
      else recent.cut(-1)
    }
    reader.committed()
    const last = blocks.at(-1)!.block
    cursor = markOf(last)
    next = last.number + 1
    if (last.number < number) return 0
    return reader.method().tickMs ?? times.afterHit({ blockAtMs: last.atMs, nowMs: now().getTime() })
  }

  /** Begins where blocks are settled, so that a reorg finds the block that both branches share. */
  async function restart(from: number): Promise<void> {
    const isOurs = await transact(pool, ({ client }) => restartFollow(client, { networkId, epoch, from }))
    if (!isOurs) throw new Superseded(`${networkId}: a later attempt follows the network`)
    await readCursor()
  }

  async function noteHead(): Promise<void> {
    const nowMs = now().getTime()
    if (nowMs - notedAtMs < NOTE_HEAD_MS) return
    notedAtMs = nowMs
    if (!(await noteAtHead(pool, { networkId, epoch })))
      throw new Superseded(`${networkId}: a later attempt follows the network`)
  }

  /** Returns the block up to which all are confirmed. The commit at hand writes it: a quiet block is one transaction. */
  async function confirm(at: BlockMark, headBlock: number): Promise<number> {
    const nowMs = now().getTime()
    if (nowMs - confirmedAtMs < Math.max(CONFIRM_MS, CONFIRM_BLOCKS * network.blockMs)) return confirmed
    confirmedAtMs = nowMs
    return await reader.confirm({ epoch, cursor: at, confirmed, headBlock })
  }

  /** The chain has other blocks than the stored ones. */
  async function rewind(from: BlockMark): Promise<number> {
    if (!(await reader.mayReplace(from))) return times.afterMiss()
    const chain = { name: source, headers: reader.headers }
    const undone = await undoReorg({ pool, source: chain, networkId, reorgDepth })
    await readCursor()
    // A sync of a wallet may have undone the reorg first, and moved the cursor.
    if (undone === null && cursor?.hash === from.hash)
      throw new SourceUnavailable(source, `the node contradicts itself about block ${from.number}`)
    if (undone !== null) await reader.rewound(undone)
    return 0
  }

  return { step }
}
