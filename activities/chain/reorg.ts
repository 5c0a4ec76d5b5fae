import type pg from 'pg'
import { lockNetwork } from '../../db/chain/branches.ts'
import { confirmedBlock, newestBlocks, rewindNetwork, storedHashes } from '../../db/chain/write.ts'
import type { RawRange } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { SourceRejected } from '../errors.ts'
import type { WalletSource } from './wallet-source.ts'

/** The blocks read do not continue the stored ones. */
export class ReorgDetected extends Error {
  constructor(networkId: string, block: number) {
    super(`${networkId}: block ${block} is on a different branch than the stored blocks`)
    this.name = 'ReorgDetected'
  }
}

/** A final block changed. Deleting that many rows needs an operator. */
export class ReorgTooDeep extends SourceRejected {
  constructor(input: { source: string; block: number; depth: number; limit: number }) {
    super(
      input.source,
      `the chain differs from block ${input.block} on, ${input.depth} blocks deep; ` +
        `at most ${input.limit} that are not confirmed can be undone. Check the node, then delete the network's rows to start again.`,
    )
  }
}

const HEADERS_PER_STEP = 50

/**
 * Compares the stored blocks with the chain, newest first, and deletes the rows of replaced blocks. Returns
 * the block it rewound to; null when there was no reorg. A node that lacks the newest blocks and contradicts
 * none lags. Nobody waits for the node: the network is locked only to delete. Throws ReorgTooDeep.
 */
export async function undoReorg(input: {
  pool: pg.Pool
  source: Pick<WalletSource, 'name' | 'headers'>
  networkId: string
  reorgDepth: number
}): Promise<number | null> {
  const { pool, networkId, reorgDepth } = input
  const { headers, name } = input.source
  if (headers === null) return null
  const fork = await findFork(pool, { networkId, headers })
  if (!fork) return null
  const { newest, oldestWrong, match } = fork
  const undone = await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'rewind' })
    const [now] = await newestBlocks(client, { networkId, below: null, limit: 1 })
    if (now?.hash !== newest.hash) return 'changed'
    const depth = newest.number - oldestWrong + 1
    if (depth > reorgDepth || oldestWrong <= (await confirmedBlock(client, networkId)))
      throw new ReorgTooDeep({ source: name, block: oldestWrong, depth, limit: reorgDepth })
    // Not every block is stored, so the branches may diverge anywhere above the last stored block they share.
    const block = Math.max(match ?? -1, newest.number - reorgDepth)
    await rewindNetwork(client, { networkId, block })
    return block
  })
  // Somebody else stored or deleted blocks while these were compared.
  return undone === 'changed' ? await undoReorg(input) : undone
}

interface Fork {
  newest: StoredBlock
  /** the oldest stored block that is not on the chain */
  oldestWrong: number
  /** the newest stored block below it, which is on the chain; null: none is */
  match: number | null
}

/** Where the stored blocks leave the chain; null: nowhere. */
async function findFork(
  pool: pg.Pool,
  { networkId, headers }: { networkId: string; headers: Headers },
): Promise<Fork | null> {
  const [newest] = await newestBlocks(pool, { networkId, below: null, limit: 1 })
  if (!newest) return null
  let oldestWrong = newest.number
  let match: number | null = null
  let isReplaced = false
  let stored = [newest]
  while (stored.length > 0) {
    const step = await compare(headers, stored)
    match = step.match
    isReplaced ||= step.isReplaced
    oldestWrong = stored.findLast(({ number }) => match === null || number > match)?.number ?? oldestWrong
    if (match !== null) break
    stored = await newestBlocks(pool, { networkId, below: stored.at(-1)!.number, limit: HEADERS_PER_STEP })
  }
  return match === newest.number || (match !== null && !isReplaced) ? null : { newest, oldestWrong, match }
}

type Headers = NonNullable<WalletSource['headers']>
type StoredBlock = Awaited<ReturnType<typeof newestBlocks>>[number]

interface Comparison {
  /** the newest stored block that is still on the chain; null if none is */
  match: number | null
  /** whether the chain has another block in the place of one above it */
  isReplaced: boolean
}

async function compare(headers: Headers, stored: readonly StoredBlock[]): Promise<Comparison> {
  const blocks = await headers(stored.map(({ number }) => number))
  const at = stored.findIndex(({ hash }, i) => blocks[i]?.hash === hash)
  const above = at < 0 ? blocks : blocks.slice(0, at)
  return { match: stored[at]?.number ?? null, isReplaced: above.some((block) => block !== null) }
}

/** Throws ReorgDetected when the range does not continue the stored blocks. Needs the network's lock. */
export async function checkBranch(
  client: pg.ClientBase,
  input: { networkId: string; range: RawRange },
): Promise<void> {
  const { networkId, range } = input
  const numbers = range.blocks.flatMap(({ number }) => [number - 1, number])
  const stored = await storedHashes(client, { networkId, numbers })
  for (const { number, hash, parentHash } of range.blocks) {
    if ((stored.get(number) ?? hash) !== hash) throw new ReorgDetected(networkId, number)
    if (parentHash !== null && (stored.get(number - 1) ?? parentHash) !== parentHash)
      throw new ReorgDetected(networkId, number - 1)
  }
}
