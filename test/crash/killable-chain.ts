import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { httpAnswers } from '../../cli/supervisor/http-answers.ts'
import { type Running, type ServiceSpec, startService } from '../../cli/supervisor/service.ts'
import { anvilBinary } from '../../sandbox/chain/anvil-binary.ts'
import { jsonRpc } from '../setup/anvil.ts'

/** A chain with one node, which mines immediately. */
export interface KillableChain {
  url: string
  /** Kills the node with SIGKILL and restarts it after `downMs`. The chain continues from its last block. */
  kill: (downMs: number) => Promise<void>
  stop: () => Promise<void>
}

export async function startKillableChain(port: number): Promise<KillableChain> {
  const nodePort = await freePort()
  const nodeUrl = `http://127.0.0.1:${nodePort}`
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
  const headers = { 'content-type': 'application/json' }
  const spec: ServiceSpec = {
    name: 'chain',
    command: anvilBinary(),
    env: { PATH: process.env['PATH'] ?? '' },
    args: [
      '--port',
      String(nodePort),
      '--chain-id',
      '8453',
      '--order',
      'fifo',
      '--quiet',
      '--no-request-size-limit',
    ],
    health: { probe: () => httpAnswers(nodeUrl, { method: 'POST', body, headers }) },
    startDeadlineMs: 30_000,
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 5_000,
  }
  const start = async (): Promise<Running> => {
    const started = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
    await started.ready
    return started
  }
  let running = await start()
  const door = createDoor({ port, nodePort })
  await door.open()

  async function kill(downMs: number): Promise<void> {
    // A real chain survives a node, so the blocks are carried over. Close the door first, so that nobody sees
    // later blocks.
    await door.close()
    const state = await settledState(nodeUrl)
    process.kill(running.pid, 'SIGKILL')
    await running.ended
    await sleep(downMs)
    running = await start()
    await jsonRpc(nodeUrl, 'anvil_loadState', [state])
    await jsonRpc(nodeUrl, 'anvil_autoImpersonateAccount', [true])
    await door.open()
  }

  return {
    url: `http://127.0.0.1:${port}`,
    kill,
    stop: async () => {
      await door.close()
      await running.stop()
    },
  }
}

/**
 * Dumps the state of a node that is no longer reachable. It may still mine earlier transactions, and it dumps
 * blocks and state one after the other: a block in between would be in the state but not in the blocks.
 */
async function settledState(url: string): Promise<unknown> {
  for (;;) {
    const before = await jsonRpc(url, 'eth_blockNumber', [])
    const state: unknown = await jsonRpc(url, 'anvil_dumpState', [])
    const { pending, queued } = await jsonRpc(url, 'txpool_status', [])
    const after = await jsonRpc(url, 'eth_blockNumber', [])
    if (after === before && BigInt(pending) + BigInt(queued) === 0n) return state
  }
}

/** A proxy in front of the node. When it is closed, the node looks dead to others. */
function createDoor({ port, nodePort }: { port: number; nodePort: number }) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const node = connect(nodePort, '127.0.0.1')
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
  })
  return {
    open: async (): Promise<void> => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: async (): Promise<void> => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
