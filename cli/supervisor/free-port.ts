import { createServer } from 'node:net'

/** Returns a port that nothing listens on. */
export async function freePort(): Promise<number> {
  return (await listenOnce(0, '127.0.0.1')) as number
}

/** Whether nothing listens on the port at this address. */
export const isFree = async (port: number, host = '127.0.0.1'): Promise<boolean> =>
  (await listenOnce(port, host)) !== null

/** Opens and closes the port. Returns its number; null: it is taken. */
async function listenOnce(port: number, host: string): Promise<number | null> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null)
      else reject(error)
    })
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address() as { port: number }
      server.close(() => resolve(address.port))
    })
  })
}
