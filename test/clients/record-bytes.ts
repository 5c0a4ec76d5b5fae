import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ByteRecorder {
  port: number
  /** Returns everything that clients have sent since the last call. */
  sent: () => string
  /** Breaks all connections and refuses others. */
  close: () => Promise<void>
  /** Takes connections again, at the same port. */
  open: () => Promise<void>
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
    client.once('close', () => target.destroy())
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const ownPort = await listen(0)
  return {
    port: ownPort,
    sent: () => {
      const all = sent
      sent = ''
      return all
    },
    close,
    open: async () => void (await listen(ownPort)),
    stop: close,
  }
}
