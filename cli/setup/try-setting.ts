import { AREAS } from '../../activities/all-areas.ts'
import { askSource } from '../../activities/ask-source.ts'
import { readIngestConfig, RPC_PREFIX } from '../../activities/config.ts'
import { isSourceError, SourceUnavailable } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'

/** `unavailable`: the service gave no answer, which says nothing about the setting. `untested`: there is no test call. */
export type Verdict =
  | { state: 'works' | 'untested' }
  | { state: 'refused' | 'unavailable'; source: string; reason: string }

const DEADLINE_MS = 10_000
/** An operator asks once, maybe before there is a database: its own allowances are not asked for. */
const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }

/** Makes a test call with a key, the address of a source, or each node of a network. Reasons never show the value. */
export async function trySetting(
  { name, value }: { name: string; value: string },
  env: Record<string, string | undefined>,
): Promise<Verdict> {
  const spec = AREAS.flatMap(({ sources }) => sources).find(
    ({ urlVariable, key }) => name === key?.variable || name === urlVariable,
  )
  const asked = { ...env, SOURCES: 'live', [name]: value }
  const work = spec
    ? () => askOnce(spec.name, asked)
    : name.startsWith(RPC_PREFIX)
      ? () => askNodes(value)
      : null
  if (work === null) return { state: 'untested' }
  try {
    return { state: (await work()) ? 'works' : 'untested' }
  } catch (error) {
    if (!isSourceError(error)) throw error
    const { source, message } = error
    const reason = message.slice(source.length + 2).replaceAll(value, 'KEY')
    return { state: error instanceof SourceUnavailable ? 'unavailable' : 'refused', source, reason }
  }
}

async function askOnce(source: string, env: Record<string, string | undefined>): Promise<boolean> {
  const config = readIngestConfig(env)
  const http = createHttpClient({
    gate: OPEN_GATE,
    sources: config.sources,
    random: Math.random,
    deadlineMs: DEADLINE_MS,
  })
  try {
    return await askSource(source, { http, config, now: () => new Date() })
  } finally {
    await http.close()
  }
}

async function askNodes(urls: string): Promise<boolean> {
  for (const url of urls.split(',').map((one) => one.trim())) {
    // The rest of an address may be a key.
    const source = `the node at ${new URL(url).host}`
    await createRpcClient({ url, source, timeoutMs: DEADLINE_MS }).call('eth_blockNumber')
  }
  return true
}
