import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { openDb } from '../../../db/connect.ts'
import { startApi } from '../read/servers.ts'
import { readArguments } from '../shared/arguments.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { busyReason } from '../shared/machine.ts'
import { printReport, reasonOf } from '../shared/report.ts'
import { startChild } from './child.ts'
import {
  comparePonder,
  measureBreadth,
  measureCatchUp,
  measureCosts,
  measureRanges,
  measureTouched,
  type PonderRun,
} from './costs.ts'
import { linesOf, type Measured, rawOf } from './lines.ts'
import { measureLive } from './live.ts'
import { measureLoops } from './loops.ts'
import { measureQuiet } from './passing.ts'
import { measureStreams } from './streams.ts'
import { measureDeliveries } from './webhooks.ts'
import { startWorld, type World } from './world.ts'

// `quiet`: empty blocks that pass, 7,200 are a day. `live`: blocks of one second that are followed as they come.
const args = readArguments({ pairs: 5, blocks: 30, quiet: 7_200, live: 40 })
const WALLETS = 100_000
/** Before the first empty block that is followed. */
const FIRST_BLOCKS = 70
/** Ponder's lists are scanned for each value, so a block of many addresses takes seconds. */
const PONDER = [
  { wallets: 1_000, blocks: 10, pairs: args.pairs, deadlineMs: 60_000 },
  { wallets: WALLETS, blocks: 1, pairs: 2, deadlineMs: 60_000 },
]
const log = (line: string) => console.log(`bench:follow ${line}`)
const busy = busyReason()
const cleanup = createCleanup()

try {
  const world = await startWorld(
    {
      empty: FIRST_BLOCKS + args.quiet,
      busy: Math.max((args.pairs + 1) * args.blocks, 10 * (args.pairs + 1)),
      drops: 2 * args.pairs,
    },
    { cleanup, log },
  )
  const measured = await measure(world)
  printReport({
    title: 'Following a chain whose busy blocks have 200 transactions and 700 logs',
    ratios: linesOf(measured),
    raw: rawOf(measured),
    busy,
    json: args.json,
  })
} finally {
  await cleanup.run()
}

async function measure(world: World): Promise<Measured> {
  const { blocks, pairs } = args
  log('blocks at the head, by number of addresses')
  const costs = await measureCosts(world, { blocks, pairs })
  log('ten times the networks')
  const breadth = await measureBreadth(world, { blocks, pairs })
  log('blocks that touch 20 and 2,000 wallets')
  const touched = await measureTouched(world, { blocks, pairs })
  const ponder = new Map<number, PonderRun | Error>()
  for (const peer of PONDER) {
    log(`Ponder with ${peer.wallets.toLocaleString('en')} addresses`)
    ponder.set(
      peer.wallets,
      await comparePonder(world, peer).catch((error: unknown) => new Error(reasonOf(error))),
    )
  }
  log('catch-up')
  const catchUp = await measureCatchUp(world, { wallets: WALLETS, runs: 3 })
  const ranges = await measureRanges(world, { wallets: 1_000, blocks: args.quiet })
  log("Temporal's transactions")
  const loops = await measureLoops(world)
  log(`${args.quiet} quiet blocks`)
  const quiet = await measureQuiet(world, { wallets: WALLETS, quietBlocks: args.quiet, busyBlocks: blocks })
  log(`${args.live} blocks of one second`)
  const live = await measureLive(world, { wallets: WALLETS, blocks: args.live })
  log('events')
  return {
    costs,
    breadth,
    touched,
    ponder,
    catchUp,
    ranges,
    loops,
    quiet,
    live,
    ...(await measureEvents(world)),
    memoryMb: { million: await memoryOf(10 ** 6), tenMillion: await memoryOf(10 ** 7) },
  }
}

/** In the database that the others are copies of. */
async function measureEvents({ postgres }: World): Promise<Pick<Measured, 'deliveries' | 'streams'>> {
  const owner = openDb({
    url: ownerUrl({ ...postgres, database: 'postgres' }),
    maxConnections: 4,
    applicationName: 'bench',
  })
  cleanup.add(owner.close)
  await owner.pool.query(`update networks set active = (id = 'ethereum')`)
  const ingestUrl = postgres.roleUrl('ingest')
  const deliveries = await measureDeliveries({ owner, databaseUrl: ingestUrl, cleanup })
  const api = await startApi(postgres, cleanup)
  return { deliveries, streams: await measureStreams({ owner, ingestUrl, api, cleanup }) }
}

async function memoryOf(addresses: number): Promise<number> {
  const { child, first } = await startChild<{ megabytes: number; size: number }>(
    { program: 'set-process.ts', args: [String(addresses)], flags: ['--expose-gc'] },
    cleanup,
  )
  await child.end()
  if (first.size !== addresses) throw new Error(`the set has ${first.size} of ${addresses} addresses`)
  return first.megabytes
}
