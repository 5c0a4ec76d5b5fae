import type pg from 'pg'
import { countRewinds, holdBranch, readBranch } from '../../../db/chain/branches.ts'
import type { BlockMark } from '../../../db/chain/follows.ts'
import { isSourceError } from '../../errors.ts'
import type { UsableNode } from '../../nodes/node-pool.ts'

/** Which of the nodes that are on different branches is followed. */
export interface BranchChoice {
  /** Learns what an earlier attempt followed. Called once, first. */
  load: () => Promise<void>
  /** The node that must be asked; null: any. */
  held: () => string | null
  /** The node that should be asked for the next head; null: any. */
  preferred: () => string | null
  /** A batch of this node was committed. */
  follow: (node: string) => void
  /**
   * Whether the branch of this node replaces the cursor's block. That of another node than the followed one does if
   * its head is higher; at the same height the next header decides.
   */
  mayReplace: (input: { node: string; cursor: BlockMark; head: number }) => Promise<boolean>
  /** Rows above the block were undone. */
  rewound: (block: number) => Promise<void>
}

/** Rewinds of one height within the time of a hold, after which the next one holds. */
const MOST_REWINDS = 3
const HELD_MS = 600_000

interface Header {
  number: string
  hash: string
}

export function createBranchChoice(deps: {
  pool: pg.Pool
  networkId: string
  nodes: () => readonly UsableNode[]
  headTag: string
  now: () => Date
}): BranchChoice {
  const { pool, networkId, nodes, headTag, now } = deps
  let followed: string | null = null
  let wanted: string | null = null
  let hold: { node: string; untilMs: number } | null = null

  /** null: the node gives no such block. */
  async function headerOf(node: UsableNode, key: string): Promise<Header | null> {
    try {
      return (await node.client.call('eth_getBlockByNumber', key, false)) as Header | null
    } catch (error) {
      if (isSourceError(error)) return null
      throw error
    }
  }

  const held = () => (hold && hold.untilMs > now().getTime() ? hold.node : null)

  return {
    async load() {
      const branch = await readBranch(pool, networkId)
      followed = branch.node
      if (branch.node !== null && branch.heldUntil !== null)
        hold = { node: branch.node, untilMs: branch.heldUntil.getTime() }
    },
    held,
    preferred() {
      const node = held() ?? wanted
      wanted = null
      return node
    },
    follow(node) {
      followed = node
    },
    async mayReplace({ node, cursor, head }) {
      const before = nodes().find(({ name }) => name === followed)
      if (node === followed || !before) return true
      const [known, newest] = await Promise.all([
        headerOf(before, `0x${cursor.number.toString(16)}`),
        headerOf(before, headTag),
      ])
      const isBetter = known?.hash !== cursor.hash || (newest !== null && head > Number(newest.number))
      if (isBetter) followed = node
      wanted = followed
      return isBetter
    },
    async rewound(block) {
      // Counted in the database, so that neither a new attempt nor another worker begins at none.
      if ((await countRewinds(pool, { networkId, block, withinMs: HELD_MS })) <= MOST_REWINDS) return
      const heads = await Promise.all(
        nodes().map(async (node) => ({
          node: node.name,
          head: Number((await headerOf(node, headTag))?.number ?? -1),
        })),
      )
      const highest = heads.toSorted((a, b) => b.head - a.head)[0]
      if (!highest) return
      const { node } = highest
      hold = { node, untilMs: now().getTime() + HELD_MS }
      await holdBranch(pool, { networkId, node, until: new Date(hold.untilMs) })
    },
  }
}
