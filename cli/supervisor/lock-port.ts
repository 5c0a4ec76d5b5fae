import { createSocket } from 'node:dgram'

/**
 * Claims a TCP port for this process among all installations of the machine. Returns a function that releases
 * it; null: another installation has it. The claim is the UDP port of the same number, which no part of ours
 * uses: the kernel gives it to one process at a time, of any user, and releases it whenever that process
 * ends.
 */
export async function lockPort(port: number): Promise<(() => void) | null> {
  const socket = createSocket('udp4')
  return new Promise((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null)
      else reject(error)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      socket.removeAllListeners('error').on('error', () => {})
      resolve(() => socket.close())
    })
  })
}
