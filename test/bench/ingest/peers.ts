import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ROOT } from '../../../cli/folders.ts'
import type { CopyValue } from '../../../db/copy-rows.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { pythonPeer } from '../shared/python-peer.ts'
import { COLUMNS, KEY, transfers } from './transfers.ts'

export interface PeerDeps {
  folder: string
  databaseUrl: string
  ownerPassword: string
  port: number
  rows: number
  cleanup: Cleanup
  log: (line: string) => void
}

export interface Peer {
  /** Schema that the peer writes to. It is dropped before each run. */
  schema: string
  /** Loads the rows once into an empty schema. Returns seconds without the start of Python. */
  load: () => Promise<number>
}

const field = (value: CopyValue) =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : value

function* records(rows: number): Generator<Record<string, unknown>> {
  for (const row of transfers(0, rows))
    yield Object.fromEntries(COLUMNS.map((column, index) => [column, field(row[index]!)]))
}

async function writeLines(file: string, lines: Iterable<unknown>): Promise<void> {
  function* text(): Generator<string> {
    for (const line of lines) yield `${JSON.stringify(line)}\n`
  }
  await pipeline(Readable.from(text()), createWriteStream(file))
}

/** dlt with write disposition merge, strategy upsert. It measures its own load. */
export async function dltPeer(deps: PeerDeps): Promise<Peer> {
  const bin = await pythonPeer('dlt', deps.log)
  const file = join(deps.folder, 'transfers.jsonl')
  await writeLines(file, records(deps.rows))
  const script = join(ROOT, 'test', 'bench', 'peers', 'dlt', 'load.py')
  let runs = 0
  return {
    schema: 'peer_dlt',
    load: async () => {
      // A separate file name per run, because dlt keeps state by file.
      const own = `${file}.${runs++}`
      await pipeline(createReadStream(file), createWriteStream(own))
      const { output } = await runPeer(deps, join(bin, 'python'), [script, own, deps.databaseUrl])
      return Number(output.trim().split('\n').at(-1))
    },
  }
}

/** meltanolabs-target-postgres, which upserts by the key of the stream. */
export async function targetPeer(deps: PeerDeps): Promise<Peer> {
  const bin = await pythonPeer('target-postgres', deps.log)
  const text = { type: ['null', 'string'] }
  const time = { type: 'string', format: 'date-time' }
  const special: Record<string, object> = { at: time, fetched_at: time }
  for (const name of ['position', 'item', 'fan_out', 'block_number']) special[name] = { type: 'integer' }
  const properties = Object.fromEntries(COLUMNS.map((column) => [column, special[column] ?? text]))
  const schema = { type: 'SCHEMA', stream: 'transfers', schema: { properties }, key_properties: KEY }
  function* messages(rows: number): Generator<unknown> {
    yield schema
    for (const record of records(rows)) yield { type: 'RECORD', stream: 'transfers', record }
  }
  const [empty, full] = [join(deps.folder, 'empty.singer'), join(deps.folder, 'transfers.singer')]
  await writeLines(empty, messages(0))
  await writeLines(full, messages(deps.rows))
  const config = join(deps.folder, 'target.json')
  await writeFile(
    config,
    JSON.stringify({
      host: '127.0.0.1',
      port: deps.port,
      user: 'sluice',
      password: deps.ownerPassword,
      database: 'postgres',
      default_target_schema: 'peer_target',
      add_record_metadata: false,
      use_copy: true,
      activate_version: false,
      batch_size_rows: 50_000,
    }),
  )
  const seconds = async (input: string) => {
    const { ms } = await runPeer(deps, join(bin, 'target-postgres'), ['--config', config], input)
    return ms / 1_000
  }
  const startS = await seconds(empty)
  return { schema: 'peer_target', load: async () => (await seconds(full)) - startS }
}

async function runPeer(
  deps: PeerDeps,
  program: string,
  args: readonly string[],
  input?: string,
): Promise<{ output: string; ms: number }> {
  const startMs = performance.now()
  const env = { PATH: process.env['PATH'], HOME: deps.folder, RUNTIME__DLTHUB_TELEMETRY: 'false' }
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  deps.cleanup.add(() => child.kill('SIGKILL'))
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + String(chunk)).slice(-2_000)))
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A program that exits early closes its input. The exit code is checked below.
  if (input) await pipeline(createReadStream(input), child.stdin).catch(() => {})
  else child.stdin.end()
  const code = await closed
  if (code !== 0) throw new Error(`${program} failed (${code}): ${errors}`)
  return { output, ms: performance.now() - startMs }
}
