import { askSource } from '../../activities/ask-source.ts'
import { createRpcClient } from '../../activities/rpc-client.ts'
import { allSourceSettings } from '../../activities/source-settings.ts'
import { openDb } from '../../db/connect.ts'
import { readSourceHealth } from '../../db/sources/read.ts'
import { sourceState } from '../../db/sources/source-state.ts'
import { withAskingClient } from '../asking-client.ts'
import { attempt, fail, type Finding, ok, warn } from './finding.ts'

type Environment = Record<string, string | undefined>

const RPC_DEADLINE_MS = 5_000

/**
 * Every source that is on is asked once, within its allowance; of those without a cheap question, and where nothing may be
 * asked (`offline`), its last state tells.
 */
export async function checkSources(env: Environment, { offline }: { offline: boolean }): Promise<Finding[]> {
  const url = env['DATABASE_URL']
  if (!url) return []
  const { db, close } = openDb({ url, maxConnections: 4, applicationName: 'sluice-doctor' })
  try {
    const health = new Map((await readSourceHealth(db)).map((row) => [row.source, row]))
    const now = () => new Date()
    const all = allSourceSettings(env)
    const off = all.filter(({ missing }) => missing !== null)
    const offLine: Finding[] =
      off.length === 0
        ? []
        : [ok('sources that are off', `${off.length}; "sluice sources" names the variable of each`)]
    const on = all.filter(({ missing }) => missing === null)
    const findings = await withAskingClient({ db, env }, ({ http, config }) =>
      Promise.all(
        on.map(async (settings): Promise<Finding> => {
          const check = `source ${settings.name}`
          const mend = `"sluice sources" has its last failure; a key that ended? another address?`
          try {
            if (!offline && (await askSource(settings.name, { http, config, now })))
              return ok(check, 'answers, and is understood')
            const state = sourceState({ settings, health: health.get(settings.name), now: now() })
            if (state.lagSeconds === null) return ok(check, 'was never asked')
            return state.isLate
              ? warn(check, 'its last answer is late', mend)
              : ok(check, 'answered within its target')
          } catch (error) {
            return warn(check, (error as Error).message, mend)
          }
        }),
      ),
    )
    return [...findings, ...offLine, ...(offline ? [] : await checkChains(env, db))]
  } catch (error) {
    return [fail('sources', (error as Error).message, 'mend the database first')]
  } finally {
    await close()
  }
}

/** Each node says that it is of the network that it is configured for. */
async function checkChains(env: Environment, db: ReturnType<typeof openDb>['db']): Promise<Finding[]> {
  const networks = await db
    .selectFrom('networks')
    .select(['id', 'chain_id'])
    .where('chain_id', 'is not', null)
    .execute()
  const checks = networks.map(async ({ id, chain_id }): Promise<Finding[]> => {
    const variable = `RPC_URL_${id.toUpperCase().replaceAll('-', '_')}`
    const url = env[variable]
    if (!url) return []
    const check = `node of ${id}`
    return attempt(
      check,
      async () => {
        const rpc = createRpcClient({ url, source: check, timeoutMs: RPC_DEADLINE_MS })
        const chainId = Number(await rpc.call('eth_chainId'))
        if (String(chainId) === chain_id) return ok(check, `chain id ${chainId}`)
        return fail(
          check,
          `chain id ${chainId}, not ${chain_id}`,
          `set ${variable} to a node of this network`,
        )
      },
      `does the node of ${variable} answer?`,
    )
  })
  return (await Promise.all(checks)).flat()
}
