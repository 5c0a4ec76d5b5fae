import { pino } from 'pino'
import { expect, test } from 'vitest'
import { deriveLoop } from '../../activities/chain/derive/derive-wallets.ts'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { followDatabase } from '../follow/follow-database.ts'

// The loop with a clock that only its pauses move, and networks whose sources do not answer.

const MINUTE = 60_000
const START_MS = Date.UTC(2026, 10, 2)
const { pool } = await followDatabase()

interface World {
  /** the error of each network */
  failing: Record<string, Error>
  lane?: number
  /** what a pause takes; absent: as long as the loop wants */
  pauseMs?: number
  /** the loop is to end after so many pauses */
  most?: number
}

/** Runs the loop. Returns its pauses, and when it wanted to ask which network, since its start. */
async function run({ failing, lane = 0, pauseMs, most = Infinity }: World) {
  let nowMs = START_MS
  const asked: [networkId: string, atMs: number][] = []
  const pauses: number[] = []
  const ending = new AbortController()
  await deriveLoop(
    {
      pool,
      networkOf(networkId) {
        asked.push([networkId, nowMs - START_MS])
        return Promise.reject(failing[networkId]!)
      },
      dailyLimit: 1,
      now: () => new Date(nowMs),
      log: pino({ level: 'silent' }),
      signal: ending.signal,
      wait(ms) {
        pauses.push(ms)
        nowMs += pauseMs ?? ms
        if (pauses.length >= most) ending.abort()
        return Promise.resolve()
      },
    },
    { networkIds: Object.keys(failing), lane, lanes: 2 },
  )
  return { asked, pauses }
}

const unavailable = (retryAfterMs: number | null = null) =>
  new SourceUnavailable('node', 'test', retryAfterMs)

/** Marks a wallet of the network that lane 0 derives. */
async function touch(...networkIds: string[]): Promise<void> {
  await pool.query(`insert into wallets (address) values ('first'), ('second')`)
  for (const networkId of networkIds)
    await pool.query(
      `insert into touched_wallets (network_id, wallet_id, from_block, through_block, reason)
       select $1, id, 1, 1, 'block' from wallets where address = 'second'`,
      [networkId],
    )
}

test('a loop with nothing to derive looks once a second, and ends after an hour', async () => {
  const half = await run({ failing: { ethereum: unavailable() }, lane: 1, pauseMs: 30 * MINUTE })
  expect(half).toEqual({ asked: [], pauses: [1_000, 1_000] })
  const ended = await run({ failing: { ethereum: unavailable() }, lane: 1, most: 3 })
  expect(ended.pauses).toHaveLength(3)
})

test('quiet wallets are swept once a minute, by the first lane, and a source that fails does not end the loop', async () => {
  const world = { failing: { base: new SourceRejected('node', 'test') }, pauseMs: MINUTE / 3, most: 10 }
  const { asked } = await run(world)
  expect(asked).toEqual([1, 2, 3].map((minute) => ['base', minute * MINUTE]))
  expect((await run({ ...world, lane: 1 })).asked).toEqual([])
  await expect(run({ ...world, failing: { base: new TypeError('test') } })).rejects.toThrow(TypeError)
})

test('a network whose source fails is left for ten seconds, and the loop looks more often for five', async () => {
  await touch('ethereum')
  const { asked, pauses } = await run({ failing: { ethereum: unavailable() }, most: 40 })
  expect(asked).toEqual([
    ['ethereum', 0],
    ['ethereum', 10_100],
  ])
  // 34 pauses of 150 ms are the first five seconds.
  expect(pauses).toEqual([...Array<number>(34).fill(150), ...Array<number>(5).fill(1_000), 150])
})

test('a network is left as long as its source wants, and the others go on meanwhile', async () => {
  await touch('ethereum', 'base')
  const { asked } = await run({
    failing: { ethereum: unavailable(6_100), base: new SourceRejected('node', 'test') },
    most: 37,
  })
  expect(asked.filter(([network]) => network === 'ethereum')).toEqual([
    ['ethereum', 0],
    ['ethereum', 6_100],
  ])
  expect(asked.filter(([network]) => network === 'base')).toEqual([['base', 0]])
})

test('what is no fault of a source or of wallets ends the loop', async () => {
  await touch('ethereum')
  await expect(run({ failing: { ethereum: new TypeError('test') } })).rejects.toThrow(TypeError)
})
