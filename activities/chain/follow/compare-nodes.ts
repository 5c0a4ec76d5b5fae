import type pg from 'pg'
import { transact } from '../../../db/transact.ts'
import { quarantineRows } from '../../../db/sources/write.ts'
import { isSourceError } from '../../errors.ts'
import type { FollowedBlock } from './block-data.ts'
import type { BlockMethod, BlockMethods } from './block-methods.ts'

const EVERY = 500

/**
 * Compares one block of each 500 that are settled on two nodes: what the header does not prove may differ. Both
 * answers go into quarantine then. With one node nothing is compared.
 */
export async function compareNodes(
  { pool, methods, now }: { pool: pg.Pool; methods: BlockMethods; now: () => Date },
  { source, above, through }: { source: string; above: number; through: number },
): Promise<void> {
  const number = Math.floor(through / EVERY) * EVERY
  if (number <= above) return
  const first = methods.current()
  const second = methods.another()
  if (!second) return
  const [one, other] = await Promise.all([readBy(first, number), readBy(second, number)])
  // A node that does not answer says nothing.
  if (one === null || other === null || JSON.stringify(one.answer) === JSON.stringify(other.answer)) return
  await transact(pool, ({ db }) =>
    quarantineRows(db, {
      source,
      area: 'chain',
      quarantined: [
        { reason: `block ${number}: two nodes have different logs`, payload: { nodes: [one, other] } },
      ],
      fetchedAt: now(),
    }),
  )
}

/** What the rows of a block come from; null: the node does not give the block. */
async function readBy(
  { node, fetcher }: BlockMethod,
  number: number,
): Promise<{ node: string; answer: ReturnType<typeof answerOf> } | null> {
  try {
    const header = await fetcher.header(number)
    return header && { node: node.name, answer: answerOf(await fetcher.fetch(header)) }
  } catch (error) {
    if (isSourceError(error)) return null
    throw error
  }
}

function answerOf({ header, transactions }: FollowedBlock) {
  const logs = transactions.flatMap((one) =>
    one.logs.map(({ logIndex, address, topics, data }) => ({
      logIndex: Number(logIndex),
      address: address.toLowerCase(),
      topics,
      data,
    })),
  )
  return { hash: header.hash, logs }
}
