import type { Cleanup } from '../shared/cleanup.ts'
import { startChild } from './child.ts'

export interface Gate {
  /** The address of the node for one client. */
  url: (client: string) => string
  /** From now on the client sees blocks up to a number. */
  show: (client: string, head: number) => Promise<void>
}

export async function startGate(nodeUrl: string, cleanup: Cleanup): Promise<Gate> {
  const { first } = await startChild<{ port: number }>({ program: 'node-gate.ts', args: [nodeUrl] }, cleanup)
  const url = (client: string) => `http://127.0.0.1:${first.port}/${client}`
  return {
    url,
    show: async (client, head) => void (await fetch(url(client), { method: 'PUT', body: String(head) })),
  }
}
