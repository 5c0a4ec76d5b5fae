import { AREAS } from '../../activities/all-areas.ts'
import { askSource } from '../../activities/ask-source.ts'
import { readIngestConfig, RPC_PREFIX, rpcVariable } from '../../activities/config.ts'
import { isSourceError, SourceUnavailable } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { NETWORKS } from '../../db/values/networks.ts'

type Environment = Record<string, string | undefined>

/** What a test call said, and the same as a sentence without a full stop. */
export interface Verdict {
  /**
   * `refused`: the service refuses it, or a node serves another network. `unavailable`: no answer, which says nothing
   * about the setting. `untested`: there is no test call.
   */
  state: 'works' | 'refused' | 'unavailable' | 'untested'
  said: string
}

const DEADLINE_MS = 10_000
/** An operator asks once, maybe before there is a database that counts what was spent. */
const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }

/**
 * Makes a test call with a key, the address of a source, or each node of a network. The sentence never shows the
 * value.
 */
export async function trySetting(
  { name, value }: { name: string; value: string },
  env: Environment,
): Promise<Verdict> {
  try {
    if (name.startsWith(RPC_PREFIX)) return await askNodes(name, value)
    const said = await askSourceOf(name, { ...env, [name]: value })
    return said === null
      ? { state: 'untested', said: 'there is no test call for it' }
      : { state: 'works', said }
  } catch (error) {
    if (!isSourceError(error)) throw error
    const { source, message } = error
    const reason = hide(message.slice(source.length + 2), value)
    return error instanceof SourceUnavailable
      ? { state: 'unavailable', said: `${source} gave no answer, so it is not tested: ${reason}` }
      : { state: 'refused', said: `${source} refuses it: ${reason}` }
  }
}

/** Hides a value and its parts that may be keys: those of addresses that are long and no host. */
function hide(text: string, value: string): string {
  const parts = value.split(/[\s,:/?&=]+/).filter((part) => part.length >= 8 && !part.includes('.'))
  return [value, ...parts].reduce((shown, part) => shown.replaceAll(part, 'KEY'), text)
}

/** null: no source has this variable, or it has no test call */
async function askSourceOf(variable: string, env: Environment): Promise<string | null> {
  const spec = AREAS.flatMap(({ sources }) => sources).find(
    ({ urlVariable, key }) => variable === key?.variable || variable === urlVariable,
  )
  if (!spec) return null
  const config = readIngestConfig({ ...env, SOURCES: 'live' })
  const http = createHttpClient({
    gate: OPEN_GATE,
    sources: config.sources,
    random: Math.random,
    deadlineMs: DEADLINE_MS,
  })
  try {
    const answered = await askSource(spec.name, { http, config, now: () => new Date() })
    return answered ? `${spec.name} answers` : null
  } finally {
    await http.close()
  }
}

/** Asks each node which chain it serves, and compares it with the network of the variable. */
async function askNodes(name: string, urls: string): Promise<Verdict> {
  const asked = urls.split(',').map(async (one) => {
    const url = one.trim()
    // The rest of an address may be a key.
    const source = `the node at ${new URL(url).host}`
    const rpc = createRpcClient({ url, source, timeoutMs: DEADLINE_MS })
    const chainId = Number(await rpc.call('eth_chainId'))
    return { chainId, said: `${source} serves chain ${chainId}` }
  })
  const nodes = await Promise.all(asked)
  const wanted = NETWORKS.find(({ id }) => rpcVariable(id) === name)?.chainId ?? null
  const wrong = nodes.filter(({ chainId }) => wanted !== null && chainId !== wanted)
  const listed = (some: typeof nodes) => some.map(({ said }) => said).join(', ')
  return wrong.length > 0
    ? { state: 'refused', said: `${listed(wrong)}, and ${name} needs chain ${wanted}` }
    : { state: 'works', said: listed(nodes) }
}
