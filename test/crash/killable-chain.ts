import { setTimeout as sleep } from 'node:timers/promises'
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

  /** The state once no block is being mined any more: whoever has seen a block may rely on it. */
  async function lastState(): Promise<unknown> {
    for (;;) {
      const before: unknown = await jsonRpc(url, 'eth_blockNumber', [])
      await sleep(50)
      const state: unknown = await jsonRpc(url, 'anvil_dumpState', [])
      if ((await jsonRpc(url, 'eth_blockNumber', [])) === before) return state
    }
  }

  async function kill(downMs: number): Promise<void> {
    // A chain outlasts a node; this one's blocks are taken along. What is not in one when it dies is lost.
    await jsonRpc(url, 'evm_setAutomine', [false])
    const state = await lastState()
    process.kill(running.pid, 'SIGKILL')
    await running.ended
    await sleep(downMs)
    running = await start()
    await jsonRpc(url, 'anvil_loadState', [state])
    await jsonRpc(url, 'anvil_autoImpersonateAccount', [true])
  }

  return { url, kill, stop: () => running.stop() }
}
