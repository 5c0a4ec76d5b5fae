import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../../db/metering/write.ts'
import type { Connection } from '../../../db/connect.ts'
import type { Db } from '../../../db/schema.ts'
import { openAccount } from '../read/seed.ts'
import type { BenchServer } from '../read/servers.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { walletAddress } from './chain.ts'
import { startChild } from './child.ts'
import { happen, insertWallets, percentile } from './happen.ts'

const ACCOUNTS = 10
/** Those that the plan allows. */
const STREAMS_OF_ACCOUNT = 100
const EVENTS = 100
const PACE_MS = 50
const DEADLINE_MS = 30_000

export interface StreamsRun {
  streams: number
  /** Resident memory of the process without and with the streams. */
  emptyMb: number
  openMb: number
  /** From the event's timestamp to its line at the client. */
  p50Ms: number
  p99Ms: number
}

/** Opens streams of several accounts at one API, and has events happen to them. */
export async function measureStreams(input: {
  owner: Connection<Db>
  ingestUrl: string
  api: BenchServer
  cleanup: Cleanup
}): Promise<StreamsRun> {
  const { owner, api, ingestUrl, cleanup } = input
  const addresses = Array.from({ length: ACCOUNTS }, (_, n) => walletAddress(1_000_000 + n))
  const walletIds = await insertWallets(owner.pool, addresses)
  const agent = new Agent({ keepAlive: false })
  cleanup.add(() => agent.destroy())
  const emptyMb = residentMb(api.pid)
  const tookMs: number[] = []
  for (const address of addresses) {
    const accountId = await openAccount(owner.db)
    await owner.pool.query(
      `insert into portfolios (id, account_id, kind, address, network_id)
       values (uuidv7(), $1, 'wallet', $2, 'ethereum')`,
      [accountId, address],
    )
    const { key } = await createKey(owner.db, { accountId, name: 'bench' })
    for (let n = 0; n < STREAMS_OF_ACCOUNT; n++)
      await openStream({ url: `${api.url}/v1/events/stream`, key, agent, onEvent: (ms) => tookMs.push(ms) })
  }
  // What the opening left behind is collected, or not, before it is measured.
  await sleep(2_000)
  const openMb = residentMb(api.pid)
  const { child } = await startChild({ program: 'events-process.ts', args: [ingestUrl, '', ''] }, cleanup)
  for (let n = 0; n < EVENTS; n++) {
    await happen(owner.pool, [{ walletId: walletIds[n % ACCOUNTS]!, marks: [n] }])
    await sleep(PACE_MS)
  }
  const startMs = performance.now()
  while (tookMs.length < EVENTS * STREAMS_OF_ACCOUNT) {
    if (performance.now() - startMs > DEADLINE_MS)
      throw new Error(`the streams got ${tookMs.length} of ${EVENTS * STREAMS_OF_ACCOUNT} events`)
    await sleep(20)
  }
  await child.end()
  return {
    streams: ACCOUNTS * STREAMS_OF_ACCOUNT,
    emptyMb,
    openMb: Math.max(openMb, residentMb(api.pid)),
    p50Ms: percentile(tookMs, 50),
    p99Ms: percentile(tookMs, 99),
  }
}

/** Resolves when the answer has begun. */
function openStream(input: {
  url: string
  key: string
  agent: Agent
  onEvent: (ms: number) => void
}): Promise<void> {
  const { url, key, agent, onEvent } = input
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`))
      let text = ''
      response.on('data', (part: Buffer) => {
        text += part.toString()
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const at = /"timestamp":"([^"]+)"/.exec(text.slice(0, end))?.[1]
          if (at !== undefined) onEvent(Date.now() - Date.parse(at))
          text = text.slice(end + 2)
        }
      })
      // They end with the agent.
      response.on('error', () => {})
      resolve()
    })
    sent.on('error', reject)
    sent.end()
  })
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_000
}
