import { type Running, type ServiceSpec, startService } from '../../cli/supervisor/service.ts'
import { httpAnswers } from '../../cli/supervisor/http-answers.ts'
import { anvilBinary } from '../../sandbox/chain/anvil-binary.ts'
import { jsonRpc } from '../setup/anvil.ts'

/** A chain with one node, which mines at once. */
export interface KillableChain {
  url: string
  /** Ends the node with SIGKILL, and starts it again after a while: the chain goes on from its last block. */
  kill: (downMs: number) => Promise<void>
  stop: () => Promise<void>
}

export async function startKillableChain(port: number): Promise<KillableChain> {
  const url = `http://127.0.0.1:${port}`
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
  const headers = { 'content-type': 'application/json' }
  const spec: ServiceSpec = {
    ...{ name: 'chain', command: anvilBinary(), env: { PATH: process.env['PATH'] ?? '' } },
    args: [
      '--port',
      String(port),
      '--chain-id',
      '8453',
      '--order',
      'fifo',
      '--quiet',
      '--no-request-size-limit',
    ],
    health: { probe: () => httpAnswers(url, { method: 'POST', body, headers }) },
    ...{ startDeadlineMs: 30_000, stopSignal: 'SIGTERM', stopDeadlineMs: 5_000 },
  }
  const start = async (): Promise<Running> => {
    const started = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
    await started.ready
    return started
  }
  let running = await start()

  async function kill(downMs: number): Promise<void> {
    // A chain outlasts a node; this one's blocks are taken along. What is not in one when it dies is lost.
    await jsonRpc(url, 'evm_setAutomine', [false])
    const state: unknown = await jsonRpc(url, 'anvil_dumpState', [])
    process.kill(running.pid, 'SIGKILL')
    await running.ended
    await new Promise((resolve) => setTimeout(resolve, downMs))
    running = await start()
    await jsonRpc(url, 'anvil_loadState', [state])
    await jsonRpc(url, 'anvil_autoImpersonateAccount', [true])
  }

  return { url, kill, stop: () => running.stop() }
}
