import { setTimeout as sleep } from 'node:timers/promises'

export interface ClientLog {
  /** complete answers with 200, and the credits in their headers */
  answered: number
  answeredCredits: number
  /** other outcomes, by status or error */
  others: Record<string, number>
}

const PAUSE_MS = 10
const PAUSE_AFTER_FAILURE_MS = 50
const DEADLINE_MS = 15_000

/** Starts clients that repeat one charged request until they are stopped. */
export function startClients(input: { url: string; key: string; clients: number }) {
  const log: ClientLog = { answered: 0, answeredCredits: 0, others: {} }
  let inFlight = 0
  let isStopped = false

  async function ask(): Promise<boolean> {
    inFlight++
    try {
      const signal = AbortSignal.timeout(DEADLINE_MS)
      const response = await fetch(input.url, { headers: { 'x-api-key': input.key }, signal })
      await response.arrayBuffer()
      if (response.status === 200) {
        log.answered++
        log.answeredCredits += Number(response.headers.get('x-credits-cost'))
        return true
      }
      count(String(response.status))
    } catch (error) {
      count((error as Error).name)
    } finally {
      inFlight--
    }
    return false
  }

  function count(end: string): void {
    log.others[end] = (log.others[end] ?? 0) + 1
  }

  const loops = Array.from({ length: input.clients }, async () => {
    while (!isStopped) await sleep((await ask()) ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS)
  })
  return {
    inFlight: () => inFlight,
    stop: async (): Promise<ClientLog> => {
      isStopped = true
      await Promise.all(loops)
      return log
    },
  }
}
