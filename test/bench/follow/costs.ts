import { TEN_TIMES_THE_NETWORKS } from '../shared/many-networks.ts'
import { measurePairs, type Pair } from '../shared/pairs.ts'
import type { Follower } from './followers.ts'
import { startPonder } from './ponder.ts'
import { TOUCHED } from './chain.ts'
import type { World } from './world.ts'

/** CPU per block, in milliseconds. */
export interface Costs {
  small: Pair[]
  large: Pair[]
  /** Milliseconds until a follower of 1,000,000 addresses has them. */
  startMs: number
}

/** Follows `blocks` further blocks, one by one, and returns the CPU of one. */
async function cpuOf(follower: Follower, place: { at: number; blocks: number }): Promise<number> {
  place.at += place.blocks
  return (await follower.run({ task: 'advance', to: place.at, atOnce: false })).cpuMs / place.blocks
}

/** The same with the work of the touched wallets: their rows, balances and marks of P&L. */
async function cpuWithDerived(follower: Follower, place: { at: number; blocks: number }): Promise<number> {
  place.at += place.blocks
  return (await follower.run({ task: 'derive', to: place.at })).cpuMs / place.blocks
}

/** Blocks with 100 times the addresses, in turns: 100,000 / 1,000 and 1,000,000 / 10,000. */
export async function measureCosts(world: World, input: { blocks: number; pairs: number }): Promise<Costs> {
  const { blocks, pairs } = input
  const compare = async (few: number): Promise<{ values: Pair[]; startMs: number }> => {
    const less = await world.follower({ name: `set_${few}`, wallets: few })
    const more = await world.follower({ name: `set_${few}00`, wallets: 100 * few })
    const [lessAt, moreAt] = [less, more].map(() => ({ at: world.empty, blocks }))
    for (const [follower, place] of [[less, lessAt!] as const, [more, moreAt!] as const])
      await cpuOf(follower, place)
    const values = await measurePairs({
      pairs,
      ours: () => cpuOf(more, moreAt!),
      peer: () => cpuOf(less, lessAt!),
    })
    await Promise.all([less.end(), more.end()])
    return { values, startMs: more.startMs }
  }
  const small = await compare(1_000)
  const large = await compare(10_000)
  return { small: small.values, large: large.values, startMs: large.startMs }
}

/** CPU per block beside ten times the declared networks, and beside those. */
export async function measureBreadth(
  world: World,
  { blocks, pairs }: { blocks: number; pairs: number },
): Promise<Pair[]> {
  const wallets = 1_000
  const many = await world.follower({ name: 'many_networks', wallets })
  const declared = await world.follower({ name: 'declared_networks', wallets })
  await many.database.query(TEN_TIMES_THE_NETWORKS)
  const [manyAt, declaredAt] = [many, declared].map(() => ({ at: world.empty, blocks }))
  await cpuOf(many, manyAt!)
  await cpuOf(declared, declaredAt!)
  const found = await measurePairs({
    pairs,
    ours: () => cpuOf(many, manyAt!),
    peer: () => cpuOf(declared, declaredAt!),
  })
  await Promise.all([many.end(), declared.end()])
  return found
}

/**
 * CPU per touched wallet in milliseconds: what blocks cost that touch 20 or 2,000 wallets, until these are
 * derived, less what they cost a follower of other wallets.
 */
export async function measureTouched(
  world: World,
  input: { blocks: number; pairs: number },
): Promise<{ few: number[]; many: number[] }> {
  const wallets = 10_000
  const named = await world.follower({ name: 'touched', wallets })
  const others = await world.follower({ name: 'untouched', wallets, firstWallet: 5_000_000 })
  const part = async (touched: number, place: { at: number; blocks: number }): Promise<number[]> => {
    const otherPlace = { ...place }
    const pairs = await measurePairs({
      pairs: input.pairs,
      ours: () => cpuWithDerived(named, place),
      peer: () => cpuOf(others, otherPlace),
    })
    return pairs.map(({ ours, peer }) => Math.max(0, ours - peer) / touched)
  }
  const few = await part(TOUCHED, { at: world.empty, blocks: input.blocks })
  // Both go on where the blocks begin that drop tokens to 2,000 wallets.
  for (const follower of [named, others])
    await follower.run({ task: 'advance', to: world.busy - 1, atOnce: true })
  for (const follower of [named, others]) await follower.run({ task: 'derive', to: world.busy })
  const many = await part(2_000, { at: world.busy, blocks: (world.drops - world.busy) / input.pairs })
  await checkDerived(named)
  await Promise.all([named.end(), others.end()])
  return { few, many }
}

/** Throws unless every touched wallet has its transactions. */
async function checkDerived({ database }: Follower): Promise<void> {
  const { rows } = await database.query<{ waiting: number; derived: number; touched: number }>(
    `select (select count(*) from touched_wallets)::integer as waiting,
       (select count(*) from wallet_transactions)::integer as derived,
       (select count(*) from transfers)::integer as touched`,
  )
  const { waiting, derived, touched } = rows[0]!
  if (waiting > 0 || derived < touched)
    throw new Error(`${derived} of ${touched} transfers are derived, and ${waiting} wallets wait`)
}

export interface PonderRun {
  /** CPU per block: ours, and Ponder's */
  pairs: Pair[]
  /** rows that each has stored of the same blocks */
  stored: { ours: number; peer: number }
  /** false: Ponder ran into the deadline, so its time is a lower bound */
  finished: boolean
}

/** Ours and Ponder in turns, at the head of the same node with the same addresses. */
export async function comparePonder(
  world: World,
  input: { wallets: number; blocks: number; pairs: number; deadlineMs: number },
): Promise<PonderRun> {
  const { wallets, blocks, deadlineMs } = input
  const ours = await world.follower({ name: `beside_ponder_${wallets}`, wallets })
  const ponder = await startPonder({ ...world, wallets, head: world.empty })
  try {
    const [oursAt, peerAt] = [1, 2].map(() => ({ at: world.empty, blocks }))
    let finished = true
    const peer = async (): Promise<number> => {
      if (finished) peerAt!.at += blocks
      const run = await ponder.advance(peerAt!.at, deadlineMs)
      finished &&= run.finished
      return run.cpuMs / blocks
    }
    await cpuOf(ours, oursAt!)
    const first = await peer()
    const pairs = finished
      ? await measurePairs({ pairs: input.pairs, ours: () => cpuOf(ours, oursAt!), peer })
      : [{ ours: await cpuOf(ours, oursAt!), peer: first }]
    const { rows } = await ours.database.query<{ count: number }>(
      'select count(*)::integer as count from transactions where block_number between $1 and $2',
      [world.empty + 1, peerAt!.at],
    )
    const stored = { ours: rows[0]!.count, peer: await ponder.stored(world.empty) }
    if (finished && stored.ours !== stored.peer)
      throw new Error(`Ponder stored ${stored.peer} transactions of wallets, and we ${stored.ours}`)
    return { pairs, stored, finished }
  } finally {
    await Promise.all([ours.end(), ponder.stop()])
  }
}

/** Blocks a second of a follower that was away, and the calls of one block. */
export async function measureCatchUp(
  world: World,
  input: { wallets: number; runs: number },
): Promise<{ perSecond: number[]; calls: number; cpuMs: number }> {
  const follower = await world.follower({ name: 'catch_up', wallets: input.wallets })
  const blocks = Math.floor((world.busy - world.empty) / (input.runs + 1))
  const perSecond: number[] = []
  let [calls, cpuMs] = [0, 0]
  for (let run = 0; run <= input.runs; run++) {
    const to = world.empty + (run + 1) * blocks
    const answer = await follower.run({ task: 'advance', to, atOnce: true })
    // The first one warms it up.
    if (run === 0) continue
    perSecond.push((blocks / answer.ms) * 1_000)
    calls += callsOf(answer.calls) / (input.runs * blocks)
    cpuMs += answer.cpuMs / (input.runs * blocks)
  }
  await follower.end()
  return { perSecond, calls, cpuMs }
}

/**
 * The same of blocks in which nothing happens to its wallets, which it catches up with by ranges. Of many wallets
 * the node's time for their balances is all that would be measured.
 */
export async function measureRanges(
  world: World,
  input: { wallets: number; blocks: number },
): Promise<{ perSecond: number; calls: number }> {
  const { wallets, blocks } = input
  const follower = await world.follower({ name: 'ranges', wallets, cursor: world.empty - blocks })
  const { ms, calls } = await follower.run({ task: 'advance', to: world.empty, atOnce: true })
  await follower.end()
  if ((calls['eth_getBlockReceipts'] ?? 0) > blocks / 2) throw new Error('it read block by block')
  return { perSecond: (blocks / ms) * 1_000, calls: callsOf(calls) / blocks }
}

export const callsOf = (calls: Record<string, number>): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0)
