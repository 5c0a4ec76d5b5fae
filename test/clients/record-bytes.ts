import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ByteRecorder {
  port: number
  /** Returns everything that clients have sent since the last call. */
  sent: () => string
  stop: () => Promise<void>
}

/** Forwards connections to a port of this machine without changing a byte, and keeps what clients send. */
export async function startByteRecorder(port: number): Promise<ByteRecorder> {
  let sent = ''
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    // The other side notices by its own end.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const target = connect({ port, host: '127.0.0.1' })
    keep(client)
    keep(target)
    client.on('data', (bytes) => (sent += bytes.toString('latin1')))
    client.pipe(target).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => {
      const all = sent
      sent = ''
      return all
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
