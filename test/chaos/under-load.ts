import { setTimeout as sleep } from 'node:timers/promises'

export interface Served {
  status: number
  body: unknown
  ms: number
}

export interface LoadResult {
  /** answers with 200 */
  ok: number
  /** all other answers */
  refused: Served[]
  /** slowest answer of each kind, in ms */
  slowestMs: { ok: number; refused: number }
  /** requests without an answer, by name of the client's error */
  broken: Record<string, number>
}

export const CLIENTS = 32
/** A request without an answer after this time counts as hanging. */
const DEADLINE_MS = 20_000

/**
 * Runs 32 clients, each sending one request after the other, during `fault` and half a second before and
 * after.
 */
export async function underLoad(
  ask: (signal: AbortSignal, client: number) => Promise<Served>,
  fault: () => Promise<void>,
): Promise<LoadResult> {
  const result: LoadResult = { ok: 0, refused: [], slowestMs: { ok: 0, refused: 0 }, broken: {} }
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (!isOver) {
      const answer = await ask(AbortSignal.timeout(DEADLINE_MS), client).catch((error: Error) => error)
      if (answer instanceof Error) {
        result.broken[answer.name] = (result.broken[answer.name] ?? 0) + 1
        await sleep(20)
        continue
      }
      const kind = answer.status === 200 ? 'ok' : 'refused'
      if (kind === 'ok') result.ok++
      else result.refused.push(answer)
      result.slowestMs[kind] = Math.max(result.slowestMs[kind], answer.ms)
    }
  })
  await sleep(500)
  await fault()
  await sleep(500)
  isOver = true
  await Promise.all(clients)
  return result
}

/** The result of a load, in one line. */
export function loadText({ ok, refused, slowestMs, broken }: LoadResult): string {
  const statuses = [...new Set(refused.map(({ status }) => status))].join(', ')
  const slowest = `slowest ${Math.round(slowestMs.ok)} and ${Math.round(slowestMs.refused)} ms`
  return `${ok} answered, ${refused.length} refused (${statuses || 'none'}), ${slowest}, without an answer ${JSON.stringify(broken)}`
}

/** The body that clients get while the database is unreachable. */
export const UNAVAILABLE = { statusCode: 503, message: 'Service Unavailable. Please Contact Support' }
