import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { routes } from '../../../api/routes.ts'
import { payCall } from '../../../cli/pay-call.ts'
import { readSecrets } from '../../../cli/secrets.ts'
import { readRun } from '../../../cli/supervisor/run-file.ts'
import { testPayer } from '../../../cli/test-payer.ts'
import { createRpc, toHex } from '../../../sandbox/chain/rpc.ts'
import { exampleOf, type Walker } from '../../start/examples.ts'
import { LAUNCHER, type RunningSluice } from '../../start/running.ts'

const runProgram = promisify(execFile)

/** Numbers of actions by kind and outcome. */
export interface Tally {
  ended: Record<string, Record<string, number>>
  /** End time and duration of each GET. */
  gets: { atMs: number; ms: number }[]
}

const EXPORT_EVERY_MS = 10 * 60_000
const DEADLINE_MS = 30_000

/**
 * Runs everything at once until the signal: every GET route in turn at a rate, a wallet sync after each new
 * transfer on its chain, payments at the gateway, syncs of the exchange account, and exports.
 */
export async function work(
  sluice: RunningSluice,
  { getsPerSecond, signal }: { getsPerSecond: number; signal: AbortSignal },
): Promise<Tally> {
  const tally: Tally = { ended: {}, gets: [] }
  const run = readRun(sluice.home)!
  const payer = testPayer(readSecrets(sluice.home)!)
  const rpc = createRpc(`http://127.0.0.1:${run.ports['ethereum']}`)
  const targets = await targetsOf(sluice)

  const count = (kind: string, end: string) => {
    const ended = (tally.ended[kind] ??= {})
    ended[end] = (ended[end] ?? 0) + 1
  }
  async function every(ms: number, kind: string, act: (turn: number) => Promise<string>): Promise<void> {
    const pending = new Set<Promise<void>>()
    for (let turn = 0; !signal.aborted; turn++) {
      const one = act(turn)
        .catch((error: Error) => error.name)
        .then((end) => count(kind, end))
        .finally(() => pending.delete(one))
      pending.add(one)
      await sleep(ms, undefined, { signal }).catch(() => {})
    }
    await Promise.all(pending)
  }

  await Promise.all([
    every(1_000 / getsPerSecond, 'GET', async (turn) => {
      const startMs = performance.now()
      const { status } = await ask(sluice, 'GET', targets[turn % targets.length]!)
      const atMs = performance.now()
      tally.gets.push({ atMs, ms: atMs - startMs })
      return String(status)
    }),
    every(2_000, 'payment', async () => {
      const url = `http://127.0.0.1:${run.ports['gateway']}/coins?limit=3`
      return String((await payCall({ url, headers: {}, account: payer, send: fetch })).status)
    }),
    every(10_000, 'transfer and sync', async (turn) => {
      // The node signs for any address.
      const from = `0x${'beef'.padStart(40, '0')}`
      await rpc.call('anvil_setBalance', from, toHex(10n ** 24n))
      await rpc.call('eth_sendTransaction', { from, to: sluice.wallet, value: toHex(1_000 + turn) })
      const target = `/wallet/transactions?address=${sluice.wallet}&connectionId=ethereum`
      return String((await ask(sluice, 'PATCH', target)).status)
    }),
    every(30_000, 'sync of the exchange account', async () => {
      const { result } = (await ask(sluice, 'GET', '/portfolio/list')).body as {
        result: { portfolioId: string; portfolioType: string }[]
      }
      const id = result.find((one) => one.portfolioType === 'exchange')!.portfolioId
      return String((await ask(sluice, 'PATCH', `/exchange/sync?portfolioId=${id}`)).status)
    }),
    every(EXPORT_EVERY_MS, 'export', async () => {
      const env = { ...process.env, SLUICE_HOME: sluice.home }
      await runProgram(process.execPath, [LAUNCHER, 'export'], { env })
      return 'done'
    }),
  ])
  return tally
}

async function ask(
  { url, key }: RunningSluice,
  method: string,
  target: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${target}`, {
    method,
    signal: AbortSignal.timeout(DEADLINE_MS),
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

/** One URL per GET route. Waits for data that is still being ingested. */
async function targetsOf(sluice: RunningSluice): Promise<string[]> {
  const walker: Walker = {
    wallet: sluice.wallet,
    send: (method, target, body) => ask(sluice, method, target, body),
  }
  const targets: string[] = []
  for (const { path } of routes.filter(({ method, kind }) => method === 'GET' && kind !== 'stream')) {
    const endMs = Date.now() + 180_000
    for (;;) {
      const target = await exampleOf(path)(walker)
      if (target !== null && (await ask(sluice, 'GET', target)).status === 200) {
        targets.push(target)
        break
      }
      if (Date.now() > endMs) throw new Error(`${path} has no answer yet`)
      await sleep(1_000)
    }
  }
  return targets
}
