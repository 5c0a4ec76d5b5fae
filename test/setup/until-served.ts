import { setTimeout as sleep } from 'node:timers/promises'

const TRIES = 40

/** Repeats a request on 503, as a client does. For tests that are not about a busy server. */
export async function untilServed<A extends { status: number }>(ask: () => Promise<A>): Promise<A> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (answer.status !== 503 || tries === TRIES) return answer
    await sleep(500)
  }
}
