import { createServer } from 'node:net'

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  return (await listenOnce(0)) as number
}

/** Whether nothing listens on it. */
export const isFree = async (port: number): Promise<boolean> => (await listenOnce(port)) !== null

/** The preferred port, or the next one above it that is free and not in `taken`. */
export async function choosePort(preferred: number, taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let port = preferred; port < preferred + 200; port++) {
    if (!taken.has(port) && (await isFree(port))) return port
  }
  throw new Error(`No free port between ${preferred} and ${preferred + 199}`)
}

/** Opens and closes the port; null when it is taken. */
async function listenOnce(port: number): Promise<number | null> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null)
      else reject(error)
    })
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address() as { port: number }
      server.close(() => resolve(address.port))
    })
  })
}
