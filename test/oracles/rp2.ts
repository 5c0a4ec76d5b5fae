import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { installPythonTool } from './install-python-tool.ts'
import type { Gain, LotEvent } from './lot-events.ts'

export async function installRp2(): Promise<string> {
  return await installPythonTool({ name: 'rp2-1.7.2', requirements: ['rp2==1.7.2'] })
}

/** rp2's basis and gain of each disposal, by event key. */
export async function rp2Gains(input: {
  programs: string
  folder: string
  events: readonly LotEvent[]
  method: CostMethod
}): Promise<Map<string, Gain>> {
  const assets = Map.groupBy(input.events, ({ history, coinId }) => `H${history}${coinId}`)
  const text = (event: LotEvent) => ({
    key: event.key,
    row: event.seq + 1,
    kind: event.kind,
    quantity: formatDecimal(event.quantity),
    usd: formatDecimal(event.plainFeeUsd ?? event.usd),
    isFee: event.plainFeeUsd !== null,
  })
  const streams = [...assets].map(([asset, events]) => {
    const instants = tieBreaks(events)
    return { asset, events: events.map((event, index) => ({ ...text(event), at: instants[index]! })) }
  })
  const python = join(input.programs, 'python')
  const script = join(import.meta.dirname, 'rp2_gains.py')
  const answer = await pipe([python, script, input.method], input.folder, JSON.stringify(streams))
  const rows = JSON.parse(answer) as { key: string; basis: string; gain: string }[]
  return new Map(rows.map(({ key, basis, gain }) => [key, { basis: decimal(basis), gain: decimal(gain) }]))
}

/**
 * Lots of one instant keep it, because rp2 orders them as we do. But rp2 sells from all lots of an instant,
 * also later ones, so an acquisition after a disposal gets the next second.
 */
function tieBreaks(events: readonly LotEvent[]): string[] {
  let seconds = 0
  return events.map((event, index) => {
    const before = events[index - 1]
    if (before?.atMs !== event.atMs) seconds = 0
    else if (before.kind === 'dispose' && event.kind === 'acquire') seconds++
    return new Date(event.atMs + seconds * 1_000).toISOString()
  })
}

function pipe([program, ...args]: string[], cwd: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { cwd })
    let out = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${program} ended with ${code}: ${errors}`)),
    )
    child.stdin.end(input)
  })
}
