import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { httpAnswers } from '../../../cli/supervisor/http-answers.ts'
import { facilitatorService } from '../../../cli/supervisor/services.ts'
import { anvilBinary } from '../../../sandbox/chain/anvil-binary.ts'
import { mintUsdc, placeUsdc } from '../../../sandbox/chain/place-usdc.ts'
import { createRpc } from '../../../sandbox/chain/rpc.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { startPart } from '../shared/start-part.ts'

/** Time that the facilitator and its chain took for one payment. */
export interface Taken {
  verifyMs: number
  settleMs: number
  /** Time that the node took for the requests of the paid server. */
  chainMs: number
}

export interface BenchFacilitator {
  /** Proxies in front of the facilitator and of the node, which measure time. */
  url: string
  rpcUrl: string
  payer: PrivateKeyAccount
  /** Times by nonce of the authorization. */
  takenBy: (nonce: string) => Taken
}

const PAYER_UNITS = 1_000_000_000_000n

/** Starts the embedded facilitator on its own chain, with a payer who has enough USDC. */
export async function startFacilitator(cleanup: Cleanup): Promise<BenchFacilitator> {
  const env = { PATH: process.env['PATH'] ?? '' }
  const chainPort = await freePort()
  const rpcUrl = `http://127.0.0.1:${chainPort}`
  await startPart(
    {
      name: 'anvil',
      command: anvilBinary(),
      env,
      health: { probe: () => httpAnswers(rpcUrl) },
      args: ['--port', String(chainPort), '--chain-id', '8453', '--quiet', '--prune-history', '64'],
      startDeadlineMs: 10_000,
      stopSignal: 'SIGINT',
      stopDeadlineMs: 5_000,
    },
    cleanup,
  )
  const rpc = createRpc(rpcUrl)
  await placeUsdc(rpc)
  const [key, payer] = [generatePrivateKey(), privateKeyToAccount(generatePrivateKey())]
  await mintUsdc(rpc, { to: payer.address, units: PAYER_UNITS })
  const port = await freePort()
  const spec = facilitatorService({
    port,
    key,
    payer: payer.address,
    env: { ...env, RPC_URL_BASE_WALLET: rpcUrl },
  })
  await startPart(spec, cleanup)
  const stopwatch = createStopwatch()
  return {
    url: await startProxy({ origin: `http://127.0.0.1:${port}`, note: stopwatch.noteFacilitator, cleanup }),
    rpcUrl: await startProxy({ origin: rpcUrl, note: stopwatch.noteChain, cleanup }),
    takenBy: stopwatch.takenBy,
    payer,
  }
}

/** One forwarded request and its answer. */
interface Passed {
  path: string
  body: string
  answer: string
  ms: number
}

function createStopwatch() {
  const taken = new Map<string, Taken>()
  const nonceOf = new Map<string, string>()
  function add(nonce: string, field: keyof Taken, ms: number): void {
    const entry = taken.get(nonce) ?? { verifyMs: 0, settleMs: 0, chainMs: 0 }
    entry[field] += ms
    taken.set(nonce, entry)
  }
  return {
    noteFacilitator: ({ path, body, answer, ms }: Passed): void => {
      const { paymentPayload } = JSON.parse(body) as {
        paymentPayload: { payload: { authorization: { nonce: string } } }
      }
      const nonce = paymentPayload.payload.authorization.nonce.toLowerCase()
      add(nonce, path === '/verify' ? 'verifyMs' : 'settleMs', ms)
      const { transaction } = JSON.parse(answer) as { transaction?: string }
      if (transaction) nonceOf.set(transaction, nonce)
    },
    noteChain: ({ body, ms }: Passed): void => {
      const { params } = JSON.parse(body) as { params: unknown[] }
      const nonce = nonceOf.get(String(params[0]))
      if (nonce !== undefined) add(nonce, 'chainMs', ms)
    },
    takenBy: (nonce: string): Taken =>
      taken.get(nonce.toLowerCase()) ?? { verifyMs: Number.NaN, settleMs: Number.NaN, chainMs: Number.NaN },
  }
}

/** Returns the URL of the proxy. */
async function startProxy({
  origin,
  note,
  cleanup,
}: {
  origin: string
  note: (passed: Passed) => void
  cleanup: Cleanup
}): Promise<string> {
  const pool = new Pool(origin)
  const server = createServer((request, response) => void pass(request, response))
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startMs = performance.now()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const path = request.url ?? '/'
    const headers = { 'content-type': 'application/json' }
    const answer = await pool.request({
      path,
      method: request.method as 'GET' | 'POST',
      headers,
      ...(body.length > 0 && { body }),
    })
    const text = await answer.body.text()
    response.writeHead(answer.statusCode, headers).end(text)
    if (body.length > 0) note({ path, body: body.toString(), answer: text, ms: performance.now() - startMs })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.add(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await pool.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
