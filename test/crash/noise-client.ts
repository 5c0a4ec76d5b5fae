import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { turnAt } from './noise-turns.ts'

/**
 * noise-client.ts URL KEY PER_SECOND MS: sends requests at an even pace, whether answers come or not. Prints
 * the number of 429s. It is a separate process, so that it does not slow the measuring one. Requests that the
 * current turn does not send to URL go to its own server, which refuses everything: so the cost of making the
 * requests is the same in every turn.
 */
const [url, key, perSecond, ms] = process.argv.slice(2) as [string, string, string, string]
const deaf = createServer((_request, response) => response.writeHead(429).end())
await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
const elsewhere = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/`
let refused = 0
const asked: Promise<void>[] = []
const startMs = performance.now()
for (let n = 0; n < (Number(perSecond) * Number(ms)) / 1_000; n++) {
  await sleep(Math.max(0, startMs + (n * 1_000) / Number(perSecond) - performance.now()))
  const turn = turnAt(Date.now())
  const isHeard = turn === 'noisy' || (turn === 'in rate' && n % 10 === 0)
  asked.push(
    fetch(isHeard ? url : elsewhere, { headers: { 'x-api-key': key } }).then(async (response) => {
      await response.arrayBuffer()
      if (isHeard && response.status === 429) refused++
    }),
  )
}
await Promise.all(asked)
deaf.close()
deaf.closeAllConnections()
console.log(refused)
