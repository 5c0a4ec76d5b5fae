import { afterEach, beforeEach } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The client that a test is about, and its calls in the test. */
    client?: { name: string; part: string; calls: number }
  }
}

/** Names the client of the following tests in the table at the end of the run. */
export function countCalls(client: { name: string; part: string; calls: () => number }): void {
  let before = 0
  beforeEach(() => {
    before = client.calls()
  })
  afterEach(({ task }) => {
    const { name, part } = client
    task.meta.client = { name, part, calls: client.calls() - before }
  })
}
