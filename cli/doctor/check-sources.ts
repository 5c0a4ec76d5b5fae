import { askSource } from '../../activities/ask-source.ts'
import { readIngestConfig, rpcVariable } from '../../activities/config.ts'
import { probeNode } from '../../activities/nodes/probe-node.ts'
import type { NodeAbilities } from '../../activities/nodes/probe-node.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { allSourceSettings } from '../../activities/source-settings.ts'
import { openDb } from '../../db/connect.ts'
import { NODE_AREA } from '../../db/sources/settings.ts'
import { sourceState } from '../../db/sources/source-state.ts'
import { withAskingClient } from '../asking-client.ts'
import { knownSources } from '../known-sources.ts'
import { attempt, fail, type Finding, ok, unasked, warn } from './finding.ts'

type Environment = Record<string, string | undefined>

const RPC_DEADLINE_MS = 5_000

/**
 * Calls every source that is on once, within its allowance. For a source without a cheap request, and with
 * `offline`, its stored state counts instead.
 */
export async function checkSources(env: Environment, { offline }: { offline: boolean }): Promise<Finding[]> {
  const url = env['DATABASE_URL']
  if (!url) return []
  const { db, close } = openDb({ url, maxConnections: 4, applicationName: 'sluice-doctor' })
  try {
    const now = () => new Date()
    // Nodes have checks of their own.
    const all = (await knownSources(db, env)).filter(({ settings }) => settings.area !== NODE_AREA)
    // A key that only the worker has is not here.
    const askable = new Set(
      allSourceSettings(env).flatMap(({ name, missing }) => (missing === null ? name : [])),
    )
    const off = all.filter(({ settings }) => settings.missing !== null)
    const offLine: Finding[] =
      off.length === 0
        ? []
        : [ok('sources that are off', `${off.length}; "sluice sources" names the variable of each`)]
    const on = all.filter(({ settings }) => settings.missing === null)
    const findings = await withAskingClient({ db, env }, ({ http, config }) =>
      Promise.all(
        on.map(async ({ settings, health }): Promise<Finding> => {
          const check = `source ${settings.name}`
          const mend = `see its last failure in "sluice sources": check its key and address`
          try {
            const mayAsk = !offline && askable.has(settings.name)
            if (mayAsk && (await askSource(settings.name, { http, config, now })))
              return ok(check, 'answers in the expected format')
            const { state, lagSeconds, isLate } = sourceState({ settings, health, now: now() })
            if (state === 'failing' || (lagSeconds === null && health?.lastFailure))
              return warn(check, `has only failed: ${health?.lastFailure}`, mend)
            if (lagSeconds === null) return unasked(check, 'never asked')
            return isLate
              ? warn(check, 'its last answer is late', mend)
              : ok(check, 'answered when it was asked last')
          } catch (error) {
            return warn(check, (error as Error).message, mend)
          }
        }),
      ),
    )
    return [...findings, ...offLine, ...(offline ? [] : await checkChains(env, db))]
  } catch (error) {
    return [fail('sources', (error as Error).message, 'repair the database first')]
  } finally {
    await close()
  }
}

/** Checks that each node serves the network that it is configured for. */
async function checkChains(env: Environment, db: ReturnType<typeof openDb>['db']): Promise<Finding[]> {
  const networks = await db
    .selectFrom('networks')
    .select(['id', 'chain_id'])
    .where('chain_id', 'is not', null)
    .execute()
  const { rpcUrls } = readIngestConfig(env)
  const checks = networks.flatMap(({ id, chain_id }) => {
    const variable = rpcVariable(id)
    return (rpcUrls[id] ?? []).map((url) => checkNode({ id, variable, url, chainId: chain_id! }))
  })
  return (await Promise.all(checks)).flat()
}

/** Names a node by its host: the rest of its address may be a key. */
function checkNode(node: { id: string; variable: string; url: string; chainId: string }): Promise<Finding[]> {
  const { id, variable, url, chainId } = node
  const check = `node of ${id} at ${new URL(url).host}`
  return attempt(
    check,
    async () => {
      const rpc = createRpcClient({ url, source: check, timeoutMs: RPC_DEADLINE_MS })
      const given = await probeNode(rpc)
      if (String(given.chainId) === chainId) return ok(check, describe(given))
      return fail(
        check,
        `chain id ${given.chainId}, not ${chainId}`,
        `set ${variable} to nodes of this network`,
      )
    },
    `check that the node in ${variable} is up`,
  )
}

function describe({ chainId, receipts, logBlocks, batchCalls, traces, hasOldBlocks }: NodeAbilities): string {
  return [
    `chain id ${chainId}`,
    receipts === null ? 'no receipts of blocks' : `receipts by ${receipts}`,
    logBlocks === 0 ? 'no logs' : `logs of ${logBlocks} blocks`,
    `batches of ${batchCalls}`,
    traces ?? 'no traces',
    hasOldBlocks ? 'old blocks' : 'no old blocks',
  ].join(', ')
}
