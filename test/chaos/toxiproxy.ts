import { join } from 'node:path'
import { cacheFolder } from '../../cli/folders.ts'
import { goProgram } from '../../cli/go-install.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { httpAnswers } from '../../cli/supervisor/http-answers.ts'
import { startService } from '../../cli/supervisor/service.ts'

const VERSION = '2.12.0'

/** A network fault. Units are Toxiproxy's: ms, kB/s, bytes, µs. */
export type Toxic =
  | { type: 'latency'; attributes: { latency: number } }
  | { type: 'timeout'; attributes: { timeout: number } }
  | { type: 'reset_peer'; attributes: { timeout: number } }
  | { type: 'slicer'; attributes: { average_size: number; size_variation: number; delay: number } }
  | { type: 'limit_data'; attributes: { bytes: number } }

/** A connection between two parts, which can be disturbed. */
export interface ToxicLink {
  port: number
  /** true: closes connections and refuses new ones. false: accepts connections again */
  cut: (isCut: boolean) => Promise<void>
  /** Applies a fault to the answers until `heal`. */
  poison: (toxic: Toxic) => Promise<void>
  heal: () => Promise<void>
}

/** Drops all data without closing connections, like a pulled cable. */
export const blackHole: Toxic = { type: 'timeout', attributes: { timeout: 0 } }
/** One byte per second. */
export const dripping: Toxic = {
  type: 'slicer',
  attributes: { average_size: 1, size_variation: 0, delay: 1_000_000 },
}

/** Starts a separate Toxiproxy, built with Go on first use. */
export async function startToxiproxy(log: (line: string) => void) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const running = startService(
    {
      name: 'toxiproxy',
      command: await findToxiproxy(log),
      env: {},
      args: ['-host', '127.0.0.1', '-port', String(port)],
      health: { probe: () => httpAnswers(`${url}/version`) },
      startDeadlineMs: 20_000,
      stopSignal: 'SIGTERM',
      stopDeadlineMs: 5_000,
    },
    { onLine: () => {}, onSpawn: () => {}, onExit: () => {} },
  )
  await running.ready

  async function call(method: string, path: string, body?: unknown): Promise<void> {
    const response = await fetch(`${url}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`toxiproxy: ${method} ${path}: ${await response.text()}`)
  }

  async function link(name: string, upstreamPort: number): Promise<ToxicLink> {
    const own = await freePort()
    const [listen, upstream] = [`127.0.0.1:${own}`, `127.0.0.1:${upstreamPort}`]
    await call('POST', 'proxies', { name, listen, upstream, enabled: true })
    const toxics = new Set<string>()
    return {
      port: own,
      cut: (isCut) => call('POST', `proxies/${name}`, { enabled: !isCut }),
      poison: async (toxic) => {
        await call('POST', `proxies/${name}/toxics`, { ...toxic, name: toxic.type, stream: 'downstream' })
        toxics.add(toxic.type)
      },
      heal: async () => {
        for (const toxic of toxics) await call('DELETE', `proxies/${name}/toxics/${toxic}`)
        toxics.clear()
      },
    }
  }
  return { link, stop: running.stop }
}

const findToxiproxy = (log: (line: string) => void): Promise<string> =>
  goProgram({
    name: 'Toxiproxy',
    program: 'github.com/Shopify/toxiproxy/v2/cmd/server',
    version: VERSION,
    target: join(cacheFolder(), `toxiproxy-${VERSION}`, 'toxiproxy'),
    env: process.env,
    log,
  })
